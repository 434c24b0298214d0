/** The engine under JMH: one caller, many callers, asynchronous callers, batches, virtual threads. */
@NullMarked
package io.idem.benchmarks.engine;

import org.jspecify.annotations.NullMarked;
