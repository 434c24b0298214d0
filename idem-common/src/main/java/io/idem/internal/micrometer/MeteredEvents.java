package io.idem.internal.micrometer;

import io.idem.Claim;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.internal.Tags;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** Counts the events of records, by scope, and times steps. Thread-safe; never blocks. */
public final class MeteredEvents implements IdempotencyEventListener {

    private final MeterProvider<Counter> claims;
    private final MeterProvider<Counter> settlements;
    private final MeterProvider<Counter> takeovers;
    private final MeterProvider<Counter> lost;
    private final MeterProvider<Counter> doubleEffects;
    private final MeterProvider<Timer> steps;
    private final MeterProvider<Counter> decisions;
    private final MeterProvider<Counter> recordsLost;
    private final MeterProvider<Counter> omitted;
    private final MeterProvider<Counter> inbox;

    /** Creates a listener that counts and times in a registry. */
    public MeteredEvents(MeterRegistry registry) {
        claims = counter(registry, "idem.claims", "Answers to acquires");
        settlements = counter(registry, "idem.settlements", "Grants that were ended by their owner");
        takeovers = counter(registry, "idem.takeovers", "Grants that took over from an owner that died");
        lost = counter(registry, "idem.leases.lost", "Attempts that lost their lease before they could commit");
        doubleEffects = counter(
                registry,
                "idem.double.effects.suspected",
                "Work that took effect although another owner had completed the record");
        steps = Timer.builder("idem.step").description("Steps of works").withRegistry(registry);
        decisions = counter(registry, "idem.takeover.decisions", "Decisions of takeover policies");
        recordsLost = counter(registry, "idem.records.lost", "Work that took effect whose record was gone or taken");
        omitted = counter(registry, "idem.results.omitted", "Results that were not kept");
        inbox = counter(registry, "idem.inbox.found", "Work that was found in the inbox");
    }

    static MeterProvider<Counter> counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).withRegistry(registry);
    }

    /**
     * Registers a scope's alarming counters at zero: a counter that first appears with an event would not show the
     * rise.
     */
    public void declare(Scope scope) {
        var unused = takeovers.withTag(Tags.SCOPE, scope.name());
        unused = lost.withTag(Tags.SCOPE, scope.name());
        unused = doubleEffects.withTag(Tags.SCOPE, scope.name());
        for (RecordState state : RecordState.values()) {
            unused = recordsLost.withTags(Tags.SCOPE, scope.name(), "state", Tags.of(state));
        }
    }

    @Override
    public void on(IdempotencyEvent event) {
        String scope = event.record().scope().name();
        if (event instanceof IdempotencyEvent.Claimed claimed) {
            claimed(scope, claimed.claim());
        } else if (event instanceof IdempotencyEvent.Settled settled) {
            settlements
                    .withTags(Tags.SCOPE, scope, "state", Tags.of(settled.state()))
                    .increment();
        } else if (event instanceof IdempotencyEvent.LeaseLost) {
            lost.withTag(Tags.SCOPE, scope).increment();
        } else if (event instanceof IdempotencyEvent.StepEnded ended) {
            steps.withTags(Tags.SCOPE, scope, "step", ended.step(), "how", Tags.of(ended.how()))
                    .record(ended.took());
        } else if (event instanceof IdempotencyEvent.DoubleEffectSuspected) {
            doubleEffects.withTag(Tags.SCOPE, scope).increment();
        } else if (event instanceof IdempotencyEvent.TakeoverDecided decided) {
            decisions
                    .withTags(Tags.SCOPE, scope, "decision", Tags.of(decided.decision()))
                    .increment();
        } else if (event instanceof IdempotencyEvent.RecordLost gone) {
            recordsLost
                    .withTags(Tags.SCOPE, scope, "state", Tags.of(gone.state()))
                    .increment();
        } else if (event instanceof IdempotencyEvent.ResultOmitted loss) {
            omitted.withTags(Tags.SCOPE, scope, "reason", Tags.of(loss.why())).increment();
        } else if (event instanceof IdempotencyEvent.FoundInInbox) {
            inbox.withTag(Tags.SCOPE, scope).increment();
        }
    }

    private void claimed(String scope, Claim claim) {
        claims.withTags(Tags.SCOPE, scope, "answer", Tags.of(claim)).increment();
        if (claim instanceof Claim.Granted granted && granted.kind() == Claim.GrantKind.TAKEOVER) {
            takeovers.withTag(Tags.SCOPE, scope).increment();
        }
    }
}
