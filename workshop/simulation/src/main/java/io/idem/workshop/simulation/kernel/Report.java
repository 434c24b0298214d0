package io.idem.workshop.simulation.kernel;

import java.util.List;
import java.util.Map;

/**
 * How one run ended.
 *
 * @param violations of what is promised; empty if all is well
 * @param counts of what happened
 * @param digest of everything that happened, in its order: equal for equal seeds
 * @param trace what happened, a line each
 */
public record Report(long seed, List<String> violations, Map<String, Long> counts, int digest, List<String> trace) {

    /** The run for people. */
    @Override
    public String toString() {
        return "seed " + seed + ": " + violations + "\n" + String.join("\n", trace);
    }
}
