package io.idem.engine;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Where executions are told to.
 *
 * @param registry observes executions; may be one that does nothing
 * @param logFields whether lines that are logged while work runs have its key's digest, scope, fence and attempt
 * @param durations estimates of how long the work of intakes takes, which need no registry
 */
record Observations(ObservationRegistry registry, boolean logFields, UsualDurations durations) {

    Observation observation(String name) {
        return Observation.createNotStarted(name, registry);
    }
}
