/** What values of all packages check and digest by; knows no other package. Not for applications. */
@NullMarked
package io.idem.internal.value;

import org.jspecify.annotations.NullMarked;
