package io.idem.engine;

import java.util.function.Supplier;

/**
 * Settles even if the thread was interrupted while it worked, as a container does that stops: the effect is there, and a
 * client of the store would refuse to ask at all. An interrupt that comes meanwhile is heeded.
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
