package io.idem.benchmarks.database;

import io.idem.benchmarks.Suite;
import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.Goal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Measures whether the inbox's claim gets slower with the number of rows: two tables on one server in rounds that
 * alternate, while old rows are removed from the one that is measured. The shared buffers hold neither index of the
 * larger table in a full run.
 */
public final class ClaimGrowth implements Suite {

    /** The figure of the larger table. */
    public static final String MANY = "claim p99, many rows";

    /** The figure of the smaller table. */
    public static final String FEW = "claim p99, few rows";

    /** The number of rows of the larger table for one of the smaller. */
    static final int TIMES = 20;

    private static final String STEADINESS = "claim p99, few rows: slowest round by fastest";
    private static final double STEADY = 1.3;
    private static final Map<String, String> POSTGRES = Map.of("shared_buffers", "256MB", "max_wal_size", "4GB");
    private static final int ROUNDS_EACH = 6;
    private static final int SLICES_PER_ROUND = 7;
    private static final int ROWS_PER_SECOND = 40_000;
    private static final int START_SECONDS = 15;

    private final PairPlan plan;
    private final int rows;

    /**
     * Creates a suite.
     *
     * @param rows the number of rows of the larger table; the smaller has a twentieth
     */
    public ClaimGrowth(PairPlan plan, int rows) {
        this.plan = plan;
        this.rows = rows;
    }

    @Override
    public String name() {
        return "inbox-growth";
    }

    @Override
    public int seconds() {
        long measured = 2 * (plan.warmUp().toSeconds() + ROUNDS_EACH * round().toSeconds());
        return START_SECONDS + rows / ROWS_PER_SECOND + (int) measured;
    }

    private Duration round() {
        return plan.slice().multipliedBy(SLICES_PER_ROUND);
    }

    @Override
    public int enoughRounds() {
        return 1;
    }

    @Override
    public void round(Figures figures, Random order) throws Exception {
        try (Postgres postgres = new Postgres(POSTGRES);
                FilledInbox few = new FilledInbox(postgres.database(), Math.max(1, rows / TIMES));
                FilledInbox many = new FilledInbox(postgres.database(), rows)) {
            few.p99(plan.warmUp());
            many.p99(plan.warmUp());
            List<Double> fewRounds = new ArrayList<>();
            List<Double> manyRounds = new ArrayList<>();
            for (int round = 0; round < ROUNDS_EACH; round++) {
                fewRounds.add(few.p99(round()));
                manyRounds.add(many.p99(round()));
            }
            report(fewRounds, manyRounds, figures);
            figures.add("rows of the larger inbox", "", rows);
        }
    }

    /** Adds the figures of the goal, unless the rounds of the smaller table differ too much among themselves. */
    static void report(List<Double> few, List<Double> many, Figures figures) {
        double spread = few.stream().mapToDouble(Double::doubleValue).max().orElseThrow()
                / few.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        String suffix = spread <= STEADY ? "" : Goal.OF_A_VOID_RUN;
        figures.add(STEADINESS, "x", spread);
        figures.add(FEW + suffix, "µs", median(few));
        figures.add(MANY + suffix, "µs", median(many));
    }

    private static double median(List<Double> values) {
        return Quartiles.of(values.stream().mapToDouble(Double::doubleValue).toArray())
                .median();
    }
}
