/** Measures the throughput of bare and guarded listeners, in messages per second. */
@NullMarked
package io.idem.benchmarks.listener;

import org.jspecify.annotations.NullMarked;
