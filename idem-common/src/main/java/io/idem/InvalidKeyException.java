package io.idem;

/**
 * Thrown for a key or tenant that is not valid. The message names the part and the remedy, and is safe to show to
 * clients.
 */
public final class InvalidKeyException extends IdempotencyException {

    public InvalidKeyException(String message) {
        super(message);
    }
}
