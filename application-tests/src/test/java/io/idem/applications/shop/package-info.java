/** What the applications do and where it can be seen. */
@NullMarked
package io.idem.applications.shop;

import org.jspecify.annotations.NullMarked;
