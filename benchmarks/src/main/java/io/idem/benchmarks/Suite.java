package io.idem.benchmarks;

import io.idem.benchmarks.report.Figures;
import java.util.Random;

/** Figures that are measured together. */
public interface Suite {

    /** What {@code --only} calls it. */
    String name();

    /** About how many seconds a round takes on two quiet cores. */
    int seconds();

    /** Measures everything once, contestants in an order of the round's own. */
    void round(Figures figures, Random order) throws Exception;
}
