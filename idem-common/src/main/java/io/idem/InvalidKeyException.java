package io.idem;

/** A key or tenant that cannot be one. The message names the part and the remedy, and is safe to show to a client. */
public final class InvalidKeyException extends IdempotencyException {

    public InvalidKeyException(String message) {
        super(message);
    }
}
