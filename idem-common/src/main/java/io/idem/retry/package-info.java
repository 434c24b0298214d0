/** Repeats calls to a store that did not answer. */
@NullMarked
package io.idem.retry;

import org.jspecify.annotations.NullMarked;
