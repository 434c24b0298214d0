package io.idem.demo.supervisor;

/** The demo cannot start; the message says why and what to do. */
public final class StartException extends RuntimeException {

    StartException(String message) {
        super(message);
    }
}
