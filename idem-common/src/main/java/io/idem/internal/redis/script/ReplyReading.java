package io.idem.internal.redis.script;

import io.idem.spi.Stages;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Turns replies into answers, by the positions of their lines. An exception ends the answers concerned, so that no
 * caller waits without end.
 */
@FunctionalInterface
public interface ReplyReading<A> {

    /** Returns the answer for a reply; an exception counts as a failure of the line. */
    A read(int position, ScriptReply reply);

    /** Ends the answers to lines that failed together. */
    default void failed(List<Integer> positions, Throwable failure, List<CompletableFuture<A>> answers) {
        positions.forEach(position -> answers.get(position).completeExceptionally(failure));
    }

    /** Ends the answer at a position when its line has ended. */
    default void follow(int position, CompletionStage<ScriptReply> line, List<CompletableFuture<A>> answers) {
        Stages.whenComplete(line, (reply, failure) -> {
            if (failure == null) {
                takeReply(position, reply, answers);
            } else {
                takeFailure(List.of(position), failure, answers);
            }
        });
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
