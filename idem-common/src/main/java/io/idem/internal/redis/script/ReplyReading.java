package io.idem.internal.redis.script;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Makes answers of replies, by the positions of their lines. Whatever it throws ends the answers concerned: nobody waits for ever. */
@FunctionalInterface
public interface ReplyReading<A> {

    /** The answer; what is thrown is treated as a failure of the line. */
    A read(int position, ScriptReply reply);

    /** Ends the answers to lines that failed together. */
    default void failed(List<Integer> positions, Throwable failure, List<CompletableFuture<A>> answers) {
        positions.forEach(position -> answers.get(position).completeExceptionally(failure));
    }

    /** Ends the answer at a position by the line's reply. */
    default void takeReply(int position, ScriptReply reply, List<CompletableFuture<A>> answers) {
        try {
            answers.get(position).complete(read(position, reply));
        } catch (Throwable unreadable) {
            takeFailure(List.of(position), unreadable, answers);
        }
    }

    /** Ends the answers at some positions by a failure of their lines. */
    default void takeFailure(List<Integer> positions, Throwable failure, List<CompletableFuture<A>> answers) {
        try {
            failed(positions, failure, answers);
        } catch (Throwable another) {
            positions.forEach(position -> answers.get(position).completeExceptionally(another));
        }
    }
}
