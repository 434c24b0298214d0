package io.idem;

/** Thrown by an {@link Idempotent} method that did not run, because its key was used before with another fingerprint. */
public final class KeyReusedException extends IdempotencyException {

    public KeyReusedException(RecordId record) {
        super(record
                + " did not run: its key was used before with another fingerprint. Call it with the same values, or"
                + " with another key");
    }
}
