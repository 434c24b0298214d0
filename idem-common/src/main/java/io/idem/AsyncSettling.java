package io.idem;

/**
 * One operation of a batch that is to be settled.
 *
 * @param operation from {@link io.idem.engine.AsyncIdempotentExecutor#begin AsyncIdempotentExecutor.begin}
 * @param result of its work
 * @param <T> type of the work's value
 */
public record AsyncSettling<T>(RunningOperation operation, WorkResult<T> result) {}
