package io.idem.consumer.autoconfigure;

import io.idem.consumer.ConsumerEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;
import java.util.Optional;

/** The counters of listeners and of what their work publishes, each with the event that it counts. */
enum DeliveryCounter {
    KEYS_MISSING(ConsumerEvent.KeyMissing.class, "consumer.keys.missing", "Messages without a key"),
    KEYS_INVALID(ConsumerEvent.KeyInvalid.class, "consumer.keys.invalid", "Messages with an invalid key"),
    DUPLICATES(ConsumerEvent.Duplicate.class, "consumer.duplicates", "Messages whose work was done before"),
    DEFERRALS(ConsumerEvent.Deferred.class, "consumer.deferrals", "Messages that were handed back to come again"),
    OUTAGES(ConsumerEvent.Paused.class, "consumer.outages", "Times that a listener paused for want of the store"),
    DEAD_LETTERS(ConsumerEvent.DeadLettered.class, "consumer.dead.letters", "Messages that are given up"),
    UNROUTABLE(ConsumerEvent.Unroutable.class, "publications.unroutable", "Messages that no queue takes");

    private final Class<? extends ConsumerEvent> event;
    private final String name;
    private final String description;

    DeliveryCounter(Class<? extends ConsumerEvent> event, String name, String description) {
        this.event = event;
        this.name = name;
        this.description = description;
    }

    /** Returns the counter of an event; empty for an event that is not counted. */
    static Optional<DeliveryCounter> of(ConsumerEvent event) {
        return Arrays.stream(values())
                .filter(counter -> counter.event.isInstance(event))
                .findFirst();
    }

    /** Returns the counter with the given tags, at zero if it is new. */
    Counter in(MeterRegistry registry, Tags tags) {
        return Counter.builder("idem." + name)
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
