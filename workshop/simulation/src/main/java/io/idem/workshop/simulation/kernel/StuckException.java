package io.idem.workshop.simulation.kernel;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A fiber waits for something that is not part of the simulation, or computes for ever. */
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
