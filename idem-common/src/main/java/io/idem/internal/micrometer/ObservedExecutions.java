package io.idem.internal.micrometer;

import io.idem.Operation;
import io.idem.spi.ExecutionObserver;
import io.idem.spi.ObservedExecution;
import io.micrometer.observation.ObservationRegistry;

/**
 * One observation per execution, {@code idem.execution}, with {@code idem.acquire} and {@code idem.settle} inside. It is the current one
 * wherever the work's context is, so that what the work publishes belongs to the same trace. Thread-safe.
 */
public final class ObservedExecutions implements ExecutionObserver {

    private final ObservationRegistry registry;

    /** Observes with the handlers of a registry. */
    public ObservedExecutions(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public ObservedExecution begin(Operation operation) {
        return registry.isNoop() ? ObservedExecution.NONE : new MicrometerExecution(registry, operation);
    }
}
