/**
 * Runs an operation once for its key. Start with {@link io.idem.engine.IdempotentExecutor}; it and
 * {@link io.idem.engine.AsyncIdempotentExecutor} are the ends of one engine: an operation is acquired, its work runs as an attempt under a
 * lease that is renewed, and what became of it is recorded.
 */
@NullMarked
package io.idem.engine;

import org.jspecify.annotations.NullMarked;
