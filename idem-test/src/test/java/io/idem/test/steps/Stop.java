package io.idem.test.steps;

import java.util.ArrayList;
import java.util.List;

/**
 * Where work is stopped.
 *
 * @param step the step in question; the first one where the boundary is in no step
 */
record Stop(Boundary boundary, String step) {

    static final String FIRST_STEP = "charge";
    static final String SECOND_STEP = "order";

    /** Returns every place at some boundaries. */
    static List<Stop> all(List<Boundary> boundaries) {
        List<Stop> all = new ArrayList<>();
        for (Boundary boundary : boundaries) {
            all.add(new Stop(boundary, FIRST_STEP));
            if (boundary.isInStep()) {
                all.add(new Stop(boundary, SECOND_STEP));
            }
        }
        return all;
    }
}
