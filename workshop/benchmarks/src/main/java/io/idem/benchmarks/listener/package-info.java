/** Messages per second of listeners, bare and guarded. */
@NullMarked
package io.idem.benchmarks.listener;

import org.jspecify.annotations.NullMarked;
