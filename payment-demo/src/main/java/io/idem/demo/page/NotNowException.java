package io.idem.demo.page;

/** A button was pressed that cannot do anything now; the message says why, for the visitor. */
public final class NotNowException extends RuntimeException {

    /** With what the visitor is told. */
    public NotNowException(String message) {
        super(message);
    }
}
