package io.idem.lincheck;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** Runs a class whose methods are operations under interleavings that Lincheck chooses, one after the other. */
public final class Interleavings {

    private static final int SCENARIOS = 8;
    private static final int INTERLEAVINGS = 100;

    private Interleavings() {}

    /**
     * Fails if an interleaving of two threads leads to answers that no order of the same calls explains.
     *
     * @param operations has a public constructor without arguments and public methods annotated as operations
     */
    public static void check(Class<?> operations) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(SCENARIOS)
                .invocationsPerIteration(INTERLEAVINGS)
                .check(operations);
    }
}
