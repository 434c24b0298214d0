/** The contestants: floors made of bare commands, idem, and other libraries. */
@NullMarked
package io.idem.benchmarks.contestant;

import org.jspecify.annotations.NullMarked;
