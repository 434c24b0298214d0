package io.idem;

/**
 * A running operation of a batch, together with the result to settle it with.
 *
 * @param operation an operation from {@link io.idem.engine.AsyncIdempotentExecutor#begin AsyncIdempotentExecutor.begin}
 * @param result the result of its work
 * @param <T> the type of the work's value
 */
public record AsyncSettling<T>(RunningOperation operation, WorkResult<T> result) {}
