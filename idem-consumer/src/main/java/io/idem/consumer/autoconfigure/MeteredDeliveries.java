package io.idem.consumer.autoconfigure;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEventListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what becomes of deliveries, by scope and transport. Thread-safe; never blocks. */
final class MeteredDeliveries implements ConsumerEventListener {

    private final MeterRegistry registry;
    private final Map<Tags, AtomicInteger> paused = new ConcurrentHashMap<>();

    MeteredDeliveries(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void on(ConsumerEvent event) {
        Tags tags = Tags.of("scope", event.scope().name(), "transport", event.transport());
        if (event instanceof ConsumerEvent.Paused) {
            count("idem.consumer.outages", "Times that a listener paused for want of the store", tags);
            paused(tags).set(1);
        } else if (event instanceof ConsumerEvent.Resumed) {
            paused(tags).set(0);
        } else if (event instanceof ConsumerEvent.KeyMissing missing) {
            String policy = missing.policy().name().toLowerCase(Locale.ROOT).replace('_', '-');
            count("idem.consumer.keys.missing", "Messages without a key", tags.and("policy", policy));
        } else {
            ofMessage(event, tags);
        }
    }

    private void ofMessage(ConsumerEvent event, Tags tags) {
        if (event instanceof ConsumerEvent.Duplicate) {
            count("idem.consumer.duplicates", "Messages whose work was done before", tags);
        } else if (event instanceof ConsumerEvent.Deferred) {
            count("idem.consumer.deferrals", "Messages that were handed back to come again", tags);
        } else if (event instanceof ConsumerEvent.KeyInvalid) {
            count("idem.consumer.keys.invalid", "Messages with something that cannot be a key", tags);
        } else if (event instanceof ConsumerEvent.DeadLettered) {
            count("idem.consumer.dead.letters", "Messages that are given up", tags);
        }
    }

    private void count(String name, String description, Tags tags) {
        Counter.builder(name)
                .description(description)
                .tags(tags)
                .register(registry)
                .increment();
    }

    private AtomicInteger paused(Tags tags) {
        return paused.computeIfAbsent(tags, of -> {
            AtomicInteger state = new AtomicInteger();
            Gauge.builder("idem.consumer.paused", state, AtomicInteger::get)
                    .description("1 while the listener pauses for want of the store")
                    .tags(of)
                    .register(registry);
            return state;
        });
    }
}
