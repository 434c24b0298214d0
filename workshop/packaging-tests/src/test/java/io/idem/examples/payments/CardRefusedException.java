package io.idem.examples.payments;

class CardRefusedException extends RuntimeException {

    CardRefusedException(String account) {
        super("The card of " + account + " was refused");
    }
}
