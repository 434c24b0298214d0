package io.idem.internal;

import java.time.Duration;

/** Comparisons of durations that {@link Duration} lacks. */
public final class Durations {

    private Durations() {}

    public static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    public static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
