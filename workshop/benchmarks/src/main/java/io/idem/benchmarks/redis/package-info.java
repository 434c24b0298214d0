/** Measures the cost of records for a Redis server: CPU time, memory, and growth. */
@NullMarked
package io.idem.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
