package io.idem.e2e.chaos;

import io.idem.e2e.chaos.check.Event;
import io.idem.e2e.chaos.fault.FaultClass;
import io.idem.e2e.chaos.fault.FaultRecord;
import io.idem.e2e.chaos.report.Distribution;
import io.idem.e2e.chaos.stage.Backends;
import io.idem.e2e.chaos.stage.Stage;
import io.idem.e2e.chaos.worker.Lane;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How long keys waited for a new owner whose owner was killed or stopped; those that were completed have none. */
final class Takeovers {

    /** RabbitMQ looks once an interval, and gives up a client when two looks after the last one that found bytes found none. */
    private static final int LONGEST_SILENCE = 3;

    private final List<FaultRecord> faults;
    private final List<Event> events;

    Takeovers(List<FaultRecord> faults, List<Event> events) {
        this.faults = faults;
        this.events = events;
    }

    Distribution durations(String scope) {
        return Distribution.of(in(scope)
                .flatMap(fault -> next(fault).map(next -> next.at() - fault.struckAt()).stream())
                .mapToLong(Long::longValue));
    }

    /** Beyond what each had to wait for: the rest of the lease, and the broker's giving the message to somebody else. */
    Distribution overdue(Lane lane) {
        return Distribution.of(in(lane.id())
                .flatMap(fault -> next(fault)
                        .map(next -> next.at() - fault.struckAt() - Math.max(leaseLeft(fault), redelivery(lane, fault)))
                        .stream())
                .mapToLong(Long::longValue));
    }

    /** Whose owner was hurt: that of work which only takes long is alive, and need not be followed by anybody. */
    private Stream<FaultRecord> in(String scope) {
        return faults.stream()
                .filter(fault -> fault.faultClass() != FaultClass.BUSY)
                .filter(fault -> scope.equals(fault.scope()));
    }

    private Optional<Event> next(FaultRecord fault) {
        return story(fault)
                .filter(event -> event.isGrant() && event.at() > fault.struckAt())
                .findFirst();
    }

    private Stream<Event> story(FaultRecord fault) {
        return events.stream()
                .filter(event ->
                        event.key().equals(fault.key()) && event.scope().equals(fault.scope()));
    }

    /** By what the owner had heard of Redis when it was struck; nothing where it had not been granted yet. */
    private long leaseLeft(FaultRecord fault) {
        return story(fault)
                .filter(event -> event.isLease() && event.at() <= fault.struckAt())
                .mapToLong(event -> event.at() + Stage.LEASE.toMillis() - fault.struckAt())
                .max()
                .stream()
                .map(left -> Math.max(0, left))
                .findFirst()
                .orElse(0);
    }

    /** A killed client's connections end at once, a stopped one's do not: RabbitMQ sees that, Kafka waits for the session's end. */
    private static long redelivery(Lane lane, FaultRecord fault) {
        if (!lane.rabbit()) {
            return Backends.KAFKA_SESSION.toMillis();
        }
        return Harm.STOPPING.contains(fault.faultClass()) ? LONGEST_SILENCE * Stage.RABBIT_HEARTBEAT.toMillis() : 0;
    }
}
