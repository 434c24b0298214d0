package io.idem.benchmarks;

import io.idem.benchmarks.report.Figures;
import java.util.Random;

/** Figures that are measured together. */
public interface Suite {

    /** {@link #enoughRounds()} of figures that load and compilers move about. */
    int EVERY_ROUND = Integer.MAX_VALUE;

    /** {@link #enoughRounds()} of figures that come out nearly alike every time. */
    int FEW_ROUNDS = 3;

    /** What {@code --only} calls it. */
    String name();

    /** About how many seconds a round takes on two quiet cores. */
    int seconds();

    /** After how many rounds its figures are settled: more would only take time. */
    int enoughRounds();

    /**
     * Measures everything once, contestants in an order of the round's own.
     *
     * @throws Exception if something could not be measured; the rest was measured all the same
     */
    void round(Figures figures, Random order) throws Exception;
}
