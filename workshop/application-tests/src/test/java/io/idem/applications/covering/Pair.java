package io.idem.applications.covering;

import java.util.ArrayList;
import java.util.List;

/**
 * Two choices in different dimensions.
 *
 * @param first the choice in the earlier dimension
 * @param second the choice in the later dimension
 */
record Pair(Choice first, Choice second) {

    static Pair of(Choice one, Choice other) {
        return one.compareTo(other) < 0 ? new Pair(one, other) : new Pair(other, one);
    }

    /** Returns all pairs of choices in different dimensions. */
    static List<Pair> all() {
        List<Pair> pairs = new ArrayList<>();
        for (Choice one : Choice.values()) {
            for (Choice other : Choice.values()) {
                if (one.dimension().compareTo(other.dimension()) < 0) {
                    pairs.add(of(one, other));
                }
            }
        }
        return List.copyOf(pairs);
    }

    @Override
    public String toString() {
        return first + " with " + second;
    }
}
