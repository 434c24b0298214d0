package io.idem.consumer.internal.delivery;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Facts that a transport knows about single messages after the listener had a batch. Indexes count the messages that
 * the listener got.
 */
@FunctionalInterface
public interface BatchReport {

    /**
     * Returns the index of the message that the exception names: the ones before it are done. -1 if that is unknown.
     */
    int failedAt(Throwable failure);

    /** Returns the cause of the message's failure, where the exception itself may only say which message it is. */
    default Throwable cause(Throwable failure) {
        return failure;
    }

    /**
     * Returns how many messages, from the first, the listener declared done before it threw an exception that names no
     * message.
     */
    default int doneBeforeFailure() {
        return 0;
    }

    /**
     * Returns the index from which on the listener, although it returned, handed its messages back; -1 if it did not.
     */
    default int handedBackFrom() {
        return -1;
    }

    /**
     * Leaves messages to a listener that acknowledges by itself, and has returned without having settled them. Called
     * once, after the listener has returned.
     *
     * @param work makes the work of some of the messages
     * @return the indexes of these messages; empty if all are settled
     */
    default List<Integer> leaveOpen(Function<List<Integer>, OpenWork> work) {
        return List.of();
    }

    /**
     * Returns the messages that cannot be converted for the listener, because of which it must not be called: it would
     * get nothing in their place.
     *
     * @param failure thrown before the listener was called; null when it is about to be called
     * @return empty if all can be, or if the listener can tell by itself
     */
    default List<Integer> unconverted(@Nullable Throwable failure) {
        return List.of();
    }

    /**
     * Returns whether the listener gets a message: not if a filter or converter in front of it has dropped it. Called
     * once, when the method is about to be called.
     */
    default boolean reached(int index) {
        return true;
    }
}
