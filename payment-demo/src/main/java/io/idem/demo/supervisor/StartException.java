package io.idem.demo.supervisor;

/** Thrown if the demo cannot start. The message says why and what to do. */
public final class StartException extends RuntimeException {

    StartException(String message) {
        super(message);
    }
}
