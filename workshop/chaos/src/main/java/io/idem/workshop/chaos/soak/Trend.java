package io.idem.workshop.chaos.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A line through samples that a few wild ones do not bend: the median of the slopes between all pairs. Pure functions. */
final class Trend {

    private Trend() {}

    /** How much the line rises from the first sample to the last one; 0 for fewer than two. */
    static double rise(List<Double> evenlySpaced) {
        List<Double> slopes = new ArrayList<>();
        for (int from = 0; from < evenlySpaced.size(); from++) {
            for (int to = from + 1; to < evenlySpaced.size(); to++) {
                slopes.add((evenlySpaced.get(to) - evenlySpaced.get(from)) / (to - from));
            }
        }
        return slopes.isEmpty() ? 0 : median(slopes) * (evenlySpaced.size() - 1);
    }

    /** The middle one; 0 if there is none. */
    static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
    }
}
