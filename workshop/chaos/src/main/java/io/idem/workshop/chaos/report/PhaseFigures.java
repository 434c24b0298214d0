package io.idem.workshop.chaos.report;

import io.idem.workshop.chaos.fault.FaultClass;
import java.util.List;

/**
 * A phase: load, faults of one class, and then none.
 *
 * @param faultClass of its faults
 * @param faults that happened
 * @param missed faults whose moment did not come
 * @param seconds with load
 * @param drainMillis from the last fault's end until nothing was under way any more
 * @param drained whether that was reached
 * @param intakeTakeover from the end of the intake to the next grant of the key it held
 * @param lanes one for each
 */
public record PhaseFigures(
        FaultClass faultClass,
        int faults,
        int missed,
        double seconds,
        long drainMillis,
        boolean drained,
        Distribution intakeTakeover,
        List<LaneFigures> lanes) {}
