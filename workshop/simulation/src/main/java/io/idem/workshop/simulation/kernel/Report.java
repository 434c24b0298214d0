package io.idem.workshop.simulation.kernel;

import java.util.List;
import java.util.Map;

/**
 * The result of one run.
 *
 * @param violations violations of promises; empty if all is well
 * @param counts numbers of events
 * @param digest hash of all events in their order, equal for equal seeds
 * @param trace events of the run, one per line
 * @param inbox whether work used an inbox
 * @param steps steps of the consumers' side, for a comparison with the model of the protocol
 */
public record Report(
        long seed,
        List<String> violations,
        Map<String, Long> counts,
        int digest,
        List<String> trace,
        boolean inbox,
        List<TraceEvent> steps) {

    /** Returns the report as text for people. */
    @Override
    public String toString() {
        return "seed " + seed + ": " + violations + "\n" + String.join("\n", trace);
    }
}
