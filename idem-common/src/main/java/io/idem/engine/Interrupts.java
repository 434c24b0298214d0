package io.idem.engine;

import java.util.function.Supplier;

/**
 * Defers the interrupt of a thread, such as one of a container that stops, while an end is recorded: the effect has
 * happened, and a client of the store would refuse to be called. An interrupt that arrives meanwhile is not deferred.
 */
final class Interrupts {

    private Interrupts() {}

    static <T> T defer(Supplier<T> settling) {
        boolean interrupted = Thread.interrupted();
        try {
            return settling.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
