package io.idem.benchmarks.report;

/**
 * What a ratio should be, and what it must be.
 *
 * @param goal the aim
 * @param gate what counts as failure outside of it; the aim itself where there is no other
 */
public record Bound(Range goal, Range gate) {

    /** At most {@code goal}, and in no case more than {@code gate}. */
    public static Bound atMost(double goal, double gate) {
        return new Bound(Range.to(goal), Range.to(gate));
    }

    /** At most {@code goal}. */
    public static Bound atMost(double goal) {
        return atMost(goal, goal);
    }

    /** At least {@code goal}. */
    public static Bound atLeast(double goal) {
        Range range = new Range(goal, Double.POSITIVE_INFINITY);
        return new Bound(range, range);
    }

    /** Neither less nor more. */
    public static Bound between(double least, double most) {
        Range range = new Range(least, most);
        return new Bound(range, range);
    }

    /** How a ratio does. */
    public Verdict judge(double ratio) {
        if (goal.holds(ratio)) {
            return Verdict.MET;
        }
        return gate.holds(ratio) ? Verdict.WITHIN_GATE : Verdict.MISSED;
    }

    /** In words, each number with this unit. */
    public String text(String unit) {
        return goal.text(unit) + (gate.equals(goal) ? "" : " (" + Numbers.text(gate.most()) + unit + ")");
    }

    /** Both ends belong to it. */
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
