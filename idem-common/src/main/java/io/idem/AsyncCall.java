package io.idem;

/**
 * One operation of a batch and its work.
 *
 * @param operation what is to be run once
 * @param work runs if the operation is granted
 * @param <T> type of the work's value
 */
public record AsyncCall<T>(Operation operation, AsyncWork<T> work) {}
