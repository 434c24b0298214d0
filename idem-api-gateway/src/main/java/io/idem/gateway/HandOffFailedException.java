package io.idem.gateway;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a broker did not confirm a message. The request is answered with 503 and its key is released for a retry,
 * which publishes again under the same key and message id, in case the message has arrived after all.
 */
public final class HandOffFailedException extends RuntimeException {

    /**
     * Creates an exception.
     *
     * @param why the reason for the log, not for the client
     */
    public HandOffFailedException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
