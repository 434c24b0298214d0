package io.idem.workshop.simulation.kernel;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Thrown when a fiber waits for something outside of the simulation or never stops computing. */
final class StuckException extends IllegalStateException {

    StuckException(Fibers fibers) {
        super("The simulation hangs:\n" + dump(fibers));
    }

    private static String dump(Fibers fibers) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey() instanceof Fiber fiber && fiber.pool() == fibers)
                .map(thread ->
                        thread.getKey() + Arrays.toString(thread.getValue()).replace(", ", "\n    "))
                .collect(Collectors.joining("\n"));
    }
}
