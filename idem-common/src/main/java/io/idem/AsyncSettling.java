package io.idem;

import io.idem.engine.AsyncIdempotentExecutor;

/**
 * One operation of a batch that is to be settled.
 *
 * @param operation from {@link AsyncIdempotentExecutor#begin}
 * @param verdict of its work
 * @param <T> type of the work's value
 */
public record AsyncSettling<T>(RunningOperation operation, WorkResult<T> verdict) {}
