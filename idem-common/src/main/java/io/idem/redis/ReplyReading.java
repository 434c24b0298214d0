package io.idem.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Makes answers of replies, by the positions of their lines. */
@FunctionalInterface
interface ReplyReading<A> {

    /** The answer; what is thrown ends it. */
    A read(int position, ScriptReply reply);

    /** Ends the answers to lines that failed together. */
    default void failed(List<Integer> positions, Throwable failure, List<CompletableFuture<A>> answers) {
        positions.forEach(position -> answers.get(position).completeExceptionally(failure));
    }

    /** Ends the answer at a position by the line's reply. */
    default void replied(int position, ScriptReply reply, List<CompletableFuture<A>> answers) {
        try {
            answers.get(position).complete(read(position, reply));
        } catch (RuntimeException unreadable) {
            failed(List.of(position), unreadable, answers);
        }
    }
}
