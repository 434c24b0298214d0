package io.idem.internal;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Writes durations for log lines, with the largest unit that needs no fraction. */
public final class PlainTime {

    private PlainTime() {}

    /** Returns a text such as "300 ms", "30 s", "24 h" or "7 days"; a fraction of a millisecond is cut off. */
    public static String text(Duration time) {
        if (time.equals(ChronoUnit.FOREVER.getDuration())) {
            return "ever";
        }
        long millis = time.toMillis();
        if (millis == 0) {
            return "0 s";
        }
        if (millis % 1_000 != 0) {
            return millis + " ms";
        }
        long seconds = millis / 1_000;
        if (seconds % 86_400 == 0 && seconds > 86_400) {
            return seconds / 86_400 + " days";
        }
        if (seconds % 3_600 == 0) {
            return seconds / 3_600 + " h";
        }
        return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
    }
}
