package io.idem.workshop.chaos.report;

import io.idem.workshop.chaos.check.StepFinding;
import io.idem.workshop.chaos.fault.FaultClass;
import java.util.List;

/**
 * The figures of a phase: load with faults of one class, then without faults.
 *
 * @param faultClass class of the faults
 * @param faults number of injected faults
 * @param missed number of faults that could not be injected because their moment did not come
 * @param seconds duration of the load
 * @param drainMillis time from the end of the last fault to the end of all work
 * @param drained whether all work ended in time
 * @param intakeTakeover times from the end of the intake to the next grant of its key
 * @param lanes figures of each lane
 * @param steps findings about the steps of all lanes
 */
public record PhaseFigures(
        FaultClass faultClass,
        int faults,
        int missed,
        double seconds,
        long drainMillis,
        boolean drained,
        Distribution intakeTakeover,
        List<LaneFigures> lanes,
        StepFinding steps) {}
