package io.idem.jdbc.outbox;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a row on their way.
 *
 * @param alone whether no other message was on its way, so that a refusal is about this row
 * @param confirmation ends when their brokers have answered, however late
 * @param answer ends when they have answered, or the time for that is over
 */
record RowTry(RelayedRow row, boolean alone, CompletableFuture<?> confirmation, CompletableFuture<?> answer) {

    /** Waits for the answer and returns why the messages are not confirmed; null if they are. Stays interrupted. */
    @Nullable Throwable failure() {
        try {
            var unused = answer.get();
            return null;
        } catch (ExecutionException notConfirmed) {
            return notConfirmed.getCause();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return interrupted;
        }
    }
}
