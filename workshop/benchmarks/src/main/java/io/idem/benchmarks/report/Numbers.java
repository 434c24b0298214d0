package io.idem.benchmarks.report;

import java.util.Locale;

/** Formats numbers with a suitable number of digits. */
public final class Numbers {

    private static final double MANY = 1_000;
    private static final double SOME = 100;

    private Numbers() {}

    /** Returns the number with a decimal point and without an exponent. */
    public static String text(double value) {
        if (value >= MANY) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, value >= SOME ? "%.0f" : value == Math.rint(value) ? "%.1f" : "%.2f", value);
    }
}
