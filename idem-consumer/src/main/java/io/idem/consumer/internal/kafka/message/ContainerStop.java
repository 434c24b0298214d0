package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.ListenerStops;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/** Stops a container because of one of its deliveries. Thread-safe. */
public record ContainerStop(SmartLifecycle container, Supplier<ListenerStops> stops) {

    /** Stops the container by another thread; does not wait for that. */
    void because(ListenerConfigurationException refusal) {
        stops.get().stop(container, refusal);
    }

    /** Returns whether it was told to stop: no record is delivered or acknowledged any more. */
    public boolean isUnderWay() {
        return stops.get().isStopped(container);
    }
}
