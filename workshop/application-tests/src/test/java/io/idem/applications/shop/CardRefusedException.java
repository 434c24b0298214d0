package io.idem.applications.shop;

/** Thrown by a payment that may succeed when it is tried again. */
public final class CardRefusedException extends RuntimeException {

    CardRefusedException(String payment) {
        super("The card was refused: " + payment);
    }
}
