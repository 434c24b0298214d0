package io.idem.consumer.autoconfigure;

import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEventListener;
import io.idem.consumer.MissingKeyPolicy;
import io.idem.consumer.internal.guard.RegisteredListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the outcomes of deliveries, by scope and transport. Thread-safe; never blocks. */
final class MeteredDeliveries implements ConsumerEventListener {

    private final MeterRegistry registry;
    private final Map<Tags, AtomicInteger> paused = new ConcurrentHashMap<>();

    MeteredDeliveries(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * Registers a listener's meters at zero: the first rise of a counter that appears with its first event would be
     * invisible.
     */
    void declare(RegisteredListener listener) {
        Tags tags = tags(listener.scope(), listener.transport());
        for (DeliveryCounter counter : DeliveryCounter.values()) {
            boolean withPolicy = counter == DeliveryCounter.KEYS_MISSING;
            var unused = counter.in(registry, withPolicy ? tags.and(policy(listener.missingKey())) : tags);
        }
        var unused = paused(tags);
    }

    @Override
    public void on(ConsumerEvent event) {
        Tags tags = tags(event.scope(), event.transport());
        if (event instanceof ConsumerEvent.Paused) {
            paused(tags).set(1);
        } else if (event instanceof ConsumerEvent.Resumed) {
            paused(tags).set(0);
        }
        Tags all = event instanceof ConsumerEvent.KeyMissing missing ? tags.and(policy(missing.policy())) : tags;
        DeliveryCounter.of(event).ifPresent(counter -> counter.in(registry, all).increment());
    }

    private static Tags tags(Scope scope, String transport) {
        return Tags.of("scope", scope.name(), "transport", transport);
    }

    private static Tags policy(MissingKeyPolicy policy) {
        return Tags.of("policy", policy.name().toLowerCase(Locale.ROOT).replace('_', '-'));
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
