package io.idem.internal.method;

import org.jspecify.annotations.Nullable;

/**
 * Lets calls of {@link io.idem.Idempotent} methods wait on threads whose work is repeated from its start if the call fails, such as
 * those of message listener containers. Thread-safe.
 */
@FunctionalInterface
public interface CallWaits {

    /**
     * Pauses the calling thread before a call that did not run its method is made once more. Blocks.
     *
     * @param failure of the call; null if it has not failed
     * @return false if the call ends as it did: it does not say "not now", the thread is one that does not wait, or it has waited as long
     *     as it may
     */
    boolean pause(@Nullable Throwable failure);
}
