package io.idem.benchmarks.report;

/**
 * The limits of a ratio.
 *
 * @param goal the range to aim at
 * @param gate the range outside of which the goal counts as missed; equal to {@code goal} if there is no wider one
 */
public record Bound(Range goal, Range gate) {

    /** Returns a bound with a goal of at most {@code goal} and a gate of at most {@code gate}. */
    public static Bound atMost(double goal, double gate) {
        return new Bound(Range.to(goal), Range.to(gate));
    }

    public static Bound atMost(double goal) {
        return atMost(goal, goal);
    }

    public static Bound atLeast(double goal) {
        Range range = new Range(goal, Double.POSITIVE_INFINITY);
        return new Bound(range, range);
    }

    public static Bound between(double least, double most) {
        Range range = new Range(least, most);
        return new Bound(range, range);
    }

    /** Returns the verdict on a ratio. */
    public Verdict judge(double ratio) {
        if (goal.holds(ratio)) {
            return Verdict.MET;
        }
        return gate.holds(ratio) ? Verdict.WITHIN_GATE : Verdict.MISSED;
    }

    /** Returns the bound in words, each number with this unit. */
    public String text(String unit) {
        return goal.text(unit) + (gate.equals(goal) ? "" : " (" + Numbers.text(gate.most()) + unit + ")");
    }

    /** A range that includes both ends. */
    record Range(double least, double most) {

        static Range to(double most) {
            return new Range(Double.NEGATIVE_INFINITY, most);
        }

        boolean holds(double ratio) {
            return ratio >= least && ratio <= most;
        }

        String text(String unit) {
            if (Double.isInfinite(least)) {
                return "≤ " + Numbers.text(most) + unit;
            }
            return Double.isInfinite(most)
                    ? "≥ " + Numbers.text(least) + unit
                    : Numbers.text(least) + "–" + Numbers.text(most) + unit;
        }
    }
}
