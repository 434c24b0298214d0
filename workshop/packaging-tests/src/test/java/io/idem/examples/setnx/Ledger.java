package io.idem.examples.setnx;

interface Ledger {

    void book(Payment payment);
}
