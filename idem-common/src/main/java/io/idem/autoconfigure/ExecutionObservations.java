package io.idem.autoconfigure;

import io.micrometer.observation.ObservationRegistry;

/** The registry that observes executions. It is no bean itself: Spring would observe everything else in it too. */
record ExecutionObservations(ObservationRegistry registry) {

    static ExecutionObservations none() {
        return new ExecutionObservations(ObservationRegistry.NOOP);
    }
}
