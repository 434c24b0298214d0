package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.ListenerStops;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/** How the deliveries of one container end it. Thread-safe. */
public record ContainerStop(SmartLifecycle container, Supplier<ListenerStops> stops) {

    /** Has it stopped by another thread; does not wait for that. */
    void because(ListenerConfigurationException refusal) {
        stops.get().stop(container, refusal);
    }

    /** Whether it was told to stop: nothing more is delivered, and nothing is acknowledged. */
    public boolean isUnderWay() {
        return stops.get().isStopped(container);
    }
}
