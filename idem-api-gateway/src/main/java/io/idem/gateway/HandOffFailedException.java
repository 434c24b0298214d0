package io.idem.gateway;

import org.jspecify.annotations.Nullable;

/**
 * A broker did not confirm a message. The request is answered with 503 and its key is free for a retry, which publishes again under the
 * same key and message id, should the message have arrived after all.
 */
public final class HandOffFailedException extends RuntimeException {

    /** A failure; {@code why} is for the log, not for the client. */
    public HandOffFailedException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
