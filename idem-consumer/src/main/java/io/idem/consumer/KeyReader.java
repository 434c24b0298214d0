package io.idem.consumer;

import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;

/** Finds the key's text of a delivery. Thread-safe. */
@FunctionalInterface
interface KeyReader {

    /**
     * Looks for it.
     *
     * @return empty if the message has none
     * @throws io.idem.InvalidKeyException if there is something that cannot be a key
     */
    Optional<String> read(DeliveredMessage message, MethodInvocation invocation);

    /** Whether it looks at the listener's arguments, which a batch has not for each message. */
    default boolean readsArguments() {
        return false;
    }
}
