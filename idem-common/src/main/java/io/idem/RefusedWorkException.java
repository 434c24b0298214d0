package io.idem;

import org.jspecify.annotations.Nullable;

/**
 * Thrown into work that asks for something that is refused to all work, such as a transaction that would commit apart from
 * the row of its inbox, or a client whose messages the work could not wait for. The message or request is not to blame: a listener's container stops, and the message stays
 * with its broker. The message of the exception says what to change.
 */
public final class RefusedWorkException extends IllegalStateException {

    public RefusedWorkException(String message) {
        this(message, null);
    }

    public RefusedWorkException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
