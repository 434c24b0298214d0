package io.idem.benchmarks.report;

/**
 * What a ratio should be, and what it must be.
 *
 * @param most whether ratios must not be greater, rather than not smaller
 * @param goal the aim
 * @param gate what counts as failure beyond it; the aim itself where there is no other
 */
public record Bound(boolean most, double goal, double gate) {

    /** At most {@code goal}, and in no case more than {@code gate}. */
    public static Bound atMost(double goal, double gate) {
        return new Bound(true, goal, gate);
    }

    /** At most {@code goal}. */
    public static Bound atMost(double goal) {
        return new Bound(true, goal, goal);
    }

    /** At least {@code goal}. */
    public static Bound atLeast(double goal) {
        return new Bound(false, goal, goal);
    }

    /** How a ratio does. */
    public Verdict judge(double ratio) {
        if (within(ratio, goal)) {
            return Verdict.MET;
        }
        return within(ratio, gate) ? Verdict.WITHIN_GATE : Verdict.MISSED;
    }

    private boolean within(double ratio, double bound) {
        return most ? ratio <= bound : ratio >= bound;
    }

    @Override
    public String toString() {
        return (most ? "≤ " : "≥ ") + Numbers.text(goal) + "×" + (gate == goal ? "" : " (" + Numbers.text(gate) + "×)");
    }
}
