package io.idem;

/**
 * An operation of a batch, together with its work.
 *
 * @param operation the operation to run once
 * @param work the work, which runs if the operation is granted
 * @param <T> the type of the work's value
 */
public record AsyncCall<T>(Operation operation, AsyncWork<T> work) {}
