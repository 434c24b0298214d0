package io.idem.http.setup;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts what was booked. */
final class Ledger {

    private final AtomicInteger entries = new AtomicInteger();

    String book(String payment) {
        return payment + " is entry " + entries.incrementAndGet();
    }

    int entries() {
        return entries.get();
    }
}
