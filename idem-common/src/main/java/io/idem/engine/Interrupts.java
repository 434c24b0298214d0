package io.idem.engine;

/**
 * Defers the interrupt of a thread, such as one of a container that stops, while an end is recorded: the effect has
 * happened, and a client of the store would refuse to be called. An interrupt that arrives meanwhile is not deferred.
 *
 * @param deferred whether the thread was interrupted
 */
record Interrupts(boolean deferred) implements AutoCloseable {

    static Interrupts defer() {
        return new Interrupts(Thread.interrupted());
    }

    @Override
    public void close() {
        if (deferred) {
            Thread.currentThread().interrupt();
        }
    }
}
