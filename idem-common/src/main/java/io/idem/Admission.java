package io.idem;

/**
 * The answer to {@link io.idem.engine.IdempotentExecutor#begin IdempotentExecutor.begin}.
 *
 * @param <T> type of the work's value
 */
public sealed interface Admission<T> {

    /** The work may run. */
    record Granted<T>(RunningOperation operation) implements Admission<T> {}

    /** The work must not run. */
    record Answered<T>(Outcome.NotRun<T> outcome) implements Admission<T> {}
}
