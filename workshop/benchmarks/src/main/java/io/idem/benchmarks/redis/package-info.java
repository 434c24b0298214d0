/** What records cost a Redis server: time of its own, memory, growth. */
@NullMarked
package io.idem.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
