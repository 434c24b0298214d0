package io.idem.workshop.chaos.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Fits a line to samples: the median of the slopes between all pairs, which outliers hardly change. Pure functions. */
final class Trend {

    private Trend() {}

    /** Returns the rise of the line from the first to the last sample; 0 for fewer than two samples. */
    static double rise(List<Double> evenlySpaced) {
        List<Double> slopes = new ArrayList<>();
        for (int from = 0; from < evenlySpaced.size(); from++) {
            for (int to = from + 1; to < evenlySpaced.size(); to++) {
                slopes.add((evenlySpaced.get(to) - evenlySpaced.get(from)) / (to - from));
            }
        }
        return slopes.isEmpty() ? 0 : median(slopes) * (evenlySpaced.size() - 1);
    }

    /** Returns the median; 0 for an empty list. */
    static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
    }
}
