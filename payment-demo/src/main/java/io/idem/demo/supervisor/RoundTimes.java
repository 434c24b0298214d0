package io.idem.demo.supervisor;

import io.idem.demo.report.HandlingTimes;
import io.idem.demo.report.InboxCost;
import io.idem.demo.watch.WorkerEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The durations of the rounds of one mode. */
final class RoundTimes {

    private final String scope;
    private final List<WorkerEvent> events = new ArrayList<>();
    private long nanos;
    private int messages;

    RoundTimes(String scope) {
        this.scope = scope;
    }

    String scope() {
        return scope;
    }

    /** Adds a round: from its first grant to its last settlement. */
    void add(List<WorkerEvent> round) {
        long first = round.stream().mapToLong(WorkerEvent::nanos).min().orElseThrow();
        long last = round.stream().mapToLong(WorkerEvent::nanos).max().orElseThrow();
        nanos += last - first;
        messages += (int) round.stream()
                .filter(event -> event.what() == WorkerEvent.What.SETTLED)
                .count();
        events.addAll(round);
    }

    InboxCost.Mode mode() {
        double seconds = TimeUnit.NANOSECONDS.toMicros(nanos) / 1_000_000.0;
        return new InboxCost.Mode(HandlingTimes.medians(events).getOrDefault(scope, 0.0), messages / seconds);
    }
}
