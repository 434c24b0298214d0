package io.idem.demo.page;

/** Thrown if the action of a button is not possible now. The message tells the visitor why. */
public final class NotNowException extends RuntimeException {

    /** Creates the exception with the message that the visitor reads. */
    public NotNowException(String message) {
        super(message);
    }
}
