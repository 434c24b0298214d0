/**
 * Runs an operation once for its key: acquires it, runs its work as an attempt under a lease that is renewed, and
 * records its end. Start with {@link io.idem.engine.IdempotentExecutor}; {@link io.idem.engine.AsyncIdempotentExecutor}
 * is the asynchronous form of the same engine.
 */
@NullMarked
package io.idem.engine;

import org.jspecify.annotations.NullMarked;
