/** Generated applications, in which every possible pair of choices occurs. */
@NullMarked
package io.idem.applications.covering;

import org.jspecify.annotations.NullMarked;
