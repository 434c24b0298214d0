package io.idem;

/** Thrown for a result that cannot be stored or read back; the message names the type and the codec. */
public final class ResultCodecException extends IdempotencyException {

    public ResultCodecException(String message) {
        super(message);
    }

    public ResultCodecException(String message, Throwable cause) {
        super(message, cause);
    }
}
