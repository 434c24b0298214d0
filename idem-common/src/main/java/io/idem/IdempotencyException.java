package io.idem;

/** Parent of everything idem throws because something is broken; what happens on a normal day is an {@link Outcome}. */
public abstract class IdempotencyException extends RuntimeException {

    protected IdempotencyException(String message) {
        super(message);
    }

    protected IdempotencyException(String message, Throwable cause) {
        super(message, cause);
    }
}
