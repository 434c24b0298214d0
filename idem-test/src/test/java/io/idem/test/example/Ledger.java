package io.idem.test.example;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/** Books what it is told, and refuses what a test says. */
@Component
class Ledger {

    private final List<String> entries = new ArrayList<>();
    private boolean closed;

    synchronized void book(String entry) {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        entries.add(entry);
    }

    synchronized List<String> entries() {
        return List.copyOf(entries);
    }

    synchronized void open() {
        closed = false;
    }

    synchronized void close() {
        closed = true;
    }
}
