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

    /** Returns every place. */
    static List<Stop> all() {
        List<Stop> all = new ArrayList<>();
        for (Boundary boundary : Boundary.values()) {
            all.add(new Stop(boundary, FIRST_STEP));
            if (boundary.isInStep()) {
                all.add(new Stop(boundary, SECOND_STEP));
            }
        }
        return all;
    }
}
