package io.idem.consumer.internal.delivery;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a transport knows of single messages after the listener had a batch. Indexes count what the listener got. */
@FunctionalInterface
public interface BatchReport {

    /** Which message the exception is about: the ones before it are done. -1 if that is unknown. */
    int failedAt(Throwable failure);

    /** What went wrong with the message, of an exception that may only say which one it is. */
    default Throwable cause(Throwable failure) {
        return failure;
    }

    /** How many messages, from the first, the listener declared done before it threw something that names no message. */
    default int doneBeforeFailure() {
        return 0;
    }

    /** From which message on the listener, although it returned, gave its messages back; -1 if it did not. */
    default int handedBackFrom() {
        return -1;
    }

    /**
     * Leaves messages to a listener that acknowledges by itself, and has returned without having said what becomes of them. Asked once, after
     * the listener has returned.
     *
     * @param work makes the work of some of the messages
     * @return which messages; empty if everything is said
     */
    default List<Integer> leaveOpen(Function<List<Integer>, OpenWork> work) {
        return List.of();
    }

    /**
     * Messages that cannot be converted for the listener, because of which it must not be called: it would get nothing in their place.
     *
     * @param failure thrown before the listener was called; null when it is about to be called
     * @return empty if all can be, or if the listener can tell by itself
     */
    default List<Integer> unconverted(@Nullable Throwable failure) {
        return List.of();
    }

    /**
     * Whether the listener gets a message: not if what is in front of the listener has dropped it, for instance because it cannot be
     * converted. Asked once, when the method is about to be called.
     */
    default boolean reached(int index) {
        return true;
    }
}
