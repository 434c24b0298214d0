package io.idem.internal.micrometer;

import io.idem.Scope;
import io.idem.internal.Tags;
import io.idem.internal.operations.DeferredKeys;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The gauges of deferred keys, by scope. */
public record DeferredKeyGauges(DeferredKeys keys, MeterRegistry registry) {

    /** Registers the gauges of a scope. */
    public void declare(Scope scope) {
        Gauge.builder("idem.pending.waiting", keys, of -> of.waiting(scope).count())
                .description("Keys whose delivery is deferred because another owner holds the lease")
                .tag(Tags.SCOPE, scope.name())
                .register(registry);
        Gauge.builder("idem.pending.stale", keys, of -> of.stale(scope))
                .description("Keys whose delivery has been deferred for too long")
                .tag(Tags.SCOPE, scope.name())
                .register(registry);
        Gauge.builder("idem.pending.oldest", keys, of -> of.oldest(scope).toNanos() / 1e9)
                .description("Longest time for which the delivery of a key has been deferred")
                .baseUnit("seconds")
                .tag(Tags.SCOPE, scope.name())
                .register(registry);
    }
}
