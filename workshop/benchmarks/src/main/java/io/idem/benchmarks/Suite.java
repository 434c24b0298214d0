package io.idem.benchmarks;

import io.idem.benchmarks.report.Figures;
import java.util.Random;

/** Figures that are measured together. */
public interface Suite {

    /** The value of {@link #enoughRounds()} for figures that vary with the load of the machine and with compilation. */
    int EVERY_ROUND = Integer.MAX_VALUE;

    /** The value of {@link #enoughRounds()} for figures that hardly vary. */
    int FEW_ROUNDS = 3;

    /** Returns the name for the option {@code --only}. */
    String name();

    /** Returns the approximate duration of a round, in seconds, on two idle cores. */
    int seconds();

    /** Returns the number of rounds after which further ones would only take time. */
    int enoughRounds();

    /**
     * Measures every figure once, the contestants in a random order.
     *
     * @throws Exception if something could not be measured; everything else was measured nevertheless
     */
    void round(Figures figures, Random order) throws Exception;
}
