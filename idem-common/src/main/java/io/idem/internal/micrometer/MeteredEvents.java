package io.idem.internal.micrometer;

import static java.util.Map.entry;

import io.idem.Claim;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.internal.Tags;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;

/** Counts the events of records, by scope, and times steps. Thread-safe; never blocks. */
public record MeteredEvents(MeterRegistry registry) implements IdempotencyEventListener {

    private static final String TAKEOVERS = "idem.takeovers";
    private static final String LEASES_LOST = "idem.leases.lost";
    private static final String DOUBLE_EFFECTS = "idem.double.effects.suspected";
    private static final String RECORDS_LOST = "idem.records.lost";
    private static final Map<String, String> DESCRIPTIONS = Map.ofEntries(
            entry("idem.claims", "Answers to acquires"),
            entry("idem.settlements", "Grants that were ended by their owner"),
            entry(TAKEOVERS, "Grants that took over from an owner that died"),
            entry("idem.takeover.decisions", "Decisions of takeover policies"),
            entry(LEASES_LOST, "Attempts that lost their lease before they could commit"),
            entry(DOUBLE_EFFECTS, "Work that took effect although another owner had completed the record"),
            entry(RECORDS_LOST, "Work that took effect whose record was gone or taken"),
            entry("idem.results.omitted", "Results that were not kept"),
            entry("idem.inbox.found", "Work that was found in the inbox"));

    /**
     * Registers a scope's alarming counters at zero: a counter that first appears with an event would not show the
     * rise.
     */
    public void declare(Scope scope) {
        for (String name : List.of(TAKEOVERS, LEASES_LOST, DOUBLE_EFFECTS)) {
            var unused = counter(name, scope);
        }
        for (RecordState state : RecordState.values()) {
            var unused = counter(RECORDS_LOST, scope, "state", Tags.of(state));
        }
    }

    private Counter counter(String name, Scope scope, String... tags) {
        return Counter.builder(name)
                .description(DESCRIPTIONS.get(name))
                .tag(Tags.SCOPE, scope.name())
                .tags(tags)
                .register(registry);
    }

    @Override
    public void on(IdempotencyEvent event) {
        Scope scope = event.record().scope();
        if (event instanceof IdempotencyEvent.Claimed claimed) {
            count("idem.claims", scope, "answer", Tags.of(claimed.claim()));
            if (claimed.claim() instanceof Claim.Granted granted && granted.kind() == Claim.GrantKind.TAKEOVER) {
                count(TAKEOVERS, scope);
            }
        } else if (event instanceof IdempotencyEvent.Settled settled) {
            count("idem.settlements", scope, "state", Tags.of(settled.state()));
        } else if (event instanceof IdempotencyEvent.LeaseLost) {
            count(LEASES_LOST, scope);
        } else if (event instanceof IdempotencyEvent.StepEnded ended) {
            Timer.builder("idem.step")
                    .description("Steps of works")
                    .tags(Tags.SCOPE, scope.name(), "step", ended.step(), "how", Tags.of(ended.how()))
                    .register(registry)
                    .record(ended.took());
        } else if (event instanceof IdempotencyEvent.DoubleEffectSuspected) {
            count(DOUBLE_EFFECTS, scope);
        } else if (event instanceof IdempotencyEvent.TakeoverDecided decided) {
            count("idem.takeover.decisions", scope, "decision", Tags.of(decided.decision()));
        } else if (event instanceof IdempotencyEvent.RecordLost gone) {
            count(RECORDS_LOST, scope, "state", Tags.of(gone.state()));
        } else if (event instanceof IdempotencyEvent.ResultOmitted loss) {
            count("idem.results.omitted", scope, "reason", Tags.of(loss.why()));
        } else if (event instanceof IdempotencyEvent.FoundInInbox) {
            count("idem.inbox.found", scope);
        }
    }

    private void count(String name, Scope scope, String... tags) {
        counter(name, scope, tags).increment();
    }
}
