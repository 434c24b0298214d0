package io.idem.e2e.steps;

import io.idem.workshop.child.StepsMain;
import java.util.List;

/**
 * A moment at which the provider keeps the work waiting until its process is killed.
 *
 * @param what the call or report that is not answered
 * @param acted whether the provider has done what the call asks for
 */
public record Stop(String what, boolean acted) {

    /** The first step is remembered, and the second one has not begun. */
    public static final Stop BETWEEN_STEPS = new Stop(StepsMain.CHARGED, false);

    /** The first step has taken effect and is not remembered. */
    public static final Stop CHARGE_NOT_REMEMBERED = new Stop(StepsMain.CHARGE, true);

    /** The second step has taken effect and is not remembered. */
    public static final Stop LABEL_NOT_REMEMBERED = new Stop(StepsMain.LABEL, true);

    /** Returns every moment, in the order of execution. */
    public static List<Stop> all() {
        return List.of(
                new Stop(StepsMain.BEGAN, false),
                new Stop(StepsMain.CHARGE, false),
                CHARGE_NOT_REMEMBERED,
                BETWEEN_STEPS,
                new Stop(StepsMain.LABEL, false),
                LABEL_NOT_REMEMBERED,
                new Stop(StepsMain.LABELLED, false));
    }
}
