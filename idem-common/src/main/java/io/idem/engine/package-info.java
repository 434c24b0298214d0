/**
 * Runs an operation once for its key: acquires it, runs its work as an attempt under a lease that is renewed, and
 * records its end. The classes to open first:
 *
 * <ul>
 *   <li>{@link io.idem.engine.IdempotentExecutor}: the whole run of an operation on one page; {@link
 *       io.idem.engine.AsyncIdempotentExecutor} is its asynchronous form.
 *   <li>{@link io.idem.engine.Entry}: from the request to the grant, and to the decision about an earlier attempt.
 *   <li>{@link io.idem.engine.Attempt}: what the work sees of its grant, and whether the lease is still held.
 *   <li>{@link io.idem.engine.Ending}: how an attempt ends, by the result or the exception of its work.
 *   <li>{@link io.idem.engine.Settling}: the table of what is written and answered for each ending.
 *   <li>{@link io.idem.engine.Lane}: where a call waits for the store, and which thread goes on.
 * </ul>
 */
@NullMarked
package io.idem.engine;

import org.jspecify.annotations.NullMarked;
