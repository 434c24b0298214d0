package io.idem.demo.report;

import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The calls of the bank, compared with the steps in which they are made.
 *
 * @param bankCalls calls that reached the bank
 * @param remembered steps that a later attempt did not repeat, because an earlier one had done them
 * @param repeated calls although an earlier attempt had a remembered answer
 */
public record StepFigures(int bankCalls, int remembered, int repeated) {

    /** Counts events, which are in their order. */
    public static StepFigures of(List<WorkerEvent> events) {
        int bankCalls = 0;
        int remembered = 0;
        int repeated = 0;
        Set<String> done = new HashSet<>();
        for (WorkerEvent event : events) {
            String work = event.scope() + " " + event.key();
            if (event.what() == What.CALLED) {
                bankCalls++;
                repeated += done.contains(work) ? 1 : 0;
            } else if (event.what() == What.STEP_ENDED && event.detail().startsWith("RAN ")) {
                done.add(work);
            } else if (event.what() == What.STEP_ENDED && event.detail().startsWith("REMEMBERED ")) {
                remembered++;
            }
        }
        return new StepFigures(bankCalls, remembered, repeated);
    }
}
