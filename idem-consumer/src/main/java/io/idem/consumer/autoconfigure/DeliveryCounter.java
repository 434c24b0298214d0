package io.idem.consumer.autoconfigure;

import io.idem.consumer.ConsumerEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;
import java.util.Optional;

/** The counters of listeners, each with the event that it counts. */
enum DeliveryCounter {
    KEYS_MISSING(ConsumerEvent.KeyMissing.class, "keys.missing", "Messages without a key"),
    KEYS_INVALID(ConsumerEvent.KeyInvalid.class, "keys.invalid", "Messages with something that cannot be a key"),
    DUPLICATES(ConsumerEvent.Duplicate.class, "duplicates", "Messages whose work was done before"),
    DEFERRALS(ConsumerEvent.Deferred.class, "deferrals", "Messages that were handed back to come again"),
    OUTAGES(ConsumerEvent.Paused.class, "outages", "Times that a listener paused for want of the store"),
    DEAD_LETTERS(ConsumerEvent.DeadLettered.class, "dead.letters", "Messages that are given up");

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
        return Counter.builder("idem.consumer." + name)
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
