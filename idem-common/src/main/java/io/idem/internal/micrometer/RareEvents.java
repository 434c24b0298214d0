package io.idem.internal.micrometer;

import io.idem.IdempotencyEvent;
import io.idem.RecordState;
import io.idem.Scope;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;

/** The counters of what seldom happens. Thread-safe. */
final class RareEvents {

    private final MeterProvider<Counter> decisions;
    private final MeterProvider<Counter> recordsLost;
    private final MeterProvider<Counter> omitted;
    private final MeterProvider<Counter> inbox;
    private final MeterProvider<Counter> failOpenRuns;

    RareEvents(MeterRegistry registry) {
        decisions = MeteredEvents.counter(registry, "idem.takeover.decisions", "What a takeover policy decided");
        recordsLost = MeteredEvents.counter(
                registry, "idem.records.lost", "Work that took effect whose record was gone or taken");
        omitted = MeteredEvents.counter(registry, "idem.results.omitted", "Results that were not kept");
        inbox = MeteredEvents.counter(registry, "idem.inbox.found", "Work that the inbox knew");
        failOpenRuns =
                MeteredEvents.counter(registry, "idem.fail.open.runs", "Work that ran without the store (fail open)");
    }

    /** Lets a scope's alarming counters start at zero. */
    void declare(Scope scope) {
        for (RecordState state : RecordState.values()) {
            var unused = recordsLost.withTags(Tags.SCOPE, scope.name(), "state", Tags.of(state));
        }
    }

    Optional<Counter> counter(String scope, IdempotencyEvent event) {
        if (event instanceof IdempotencyEvent.TakeoverDecided decided) {
            return Optional.of(decisions.withTags(Tags.SCOPE, scope, "decision", Tags.of(decided.decision())));
        }
        if (event instanceof IdempotencyEvent.RecordLost lost) {
            return Optional.of(recordsLost.withTags(Tags.SCOPE, scope, "state", Tags.of(lost.state())));
        }
        if (event instanceof IdempotencyEvent.ResultOmitted loss) {
            return Optional.of(omitted.withTags(Tags.SCOPE, scope, "reason", Tags.of(loss.why())));
        }
        if (event instanceof IdempotencyEvent.FoundInInbox) {
            return Optional.of(inbox.withTag(Tags.SCOPE, scope));
        }
        return event instanceof IdempotencyEvent.RanFailOpen ran
                ? Optional.of(failOpenRuns.withTags(Tags.SCOPE, scope, "recorded", Boolean.toString(ran.recorded())))
                : Optional.empty();
    }
}
