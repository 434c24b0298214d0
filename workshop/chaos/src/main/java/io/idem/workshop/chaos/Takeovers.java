package io.idem.workshop.chaos;

import io.idem.workshop.chaos.check.Event;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.FaultRecord;
import io.idem.workshop.chaos.report.Distribution;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Computes how long keys waited for a new owner after theirs was killed or stopped. Completed keys are left out. */
final class Takeovers {

    private final List<FaultRecord> faults;
    private final List<Event> events;
    private final Duration lease;

    /** @param lease duration of a lease; zero if there is none, as where the inbox is the store */
    Takeovers(List<FaultRecord> faults, List<Event> events, Duration lease) {
        this.lease = lease;
        this.faults = faults;
        this.events = events;
    }

    Distribution durations(String scope) {
        return Distribution.of(in(scope)
                .flatMap(fault -> next(fault).map(next -> next.at() - fault.struckAt()).stream())
                .mapToLong(Long::longValue));
    }

    /** Returns the times until the broker had redelivered the message and its new consumer asked for the key. */
    Distribution redeliveries(String scope) {
        return Distribution.of(in(scope)
                .filter(fault -> next(fault).isPresent())
                .flatMap(fault -> redelivery(fault).stream())
                .mapToLong(Long::longValue));
    }

    /** Returns the times beyond the unavoidable wait, which is the later of the end of the lease and the redelivery. */
    Distribution overdue(String scope) {
        return Distribution.of(in(scope)
                .flatMap(fault -> next(fault)
                        .map(next -> next.at()
                                - fault.struckAt()
                                - Math.max(
                                        leaseLeft(fault, next),
                                        redelivery(fault).orElse(0L)))
                        .stream())
                .mapToLong(Long::longValue));
    }

    /**
     * Returns the faults that killed or stopped an owner. The owner of slow work stays alive and needs no successor.
     */
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

    /**
     * Returns the rest of the lease by the last answer of Redis to the old owner before the takeover, because a stopped
     * worker may renew once more when it goes on. Returns 0 if the lease had not been granted yet.
     */
    private long leaseLeft(FaultRecord fault, Event next) {
        return story(fault)
                .filter(event -> event.isLease() && event.fence() != next.fence() && event.at() <= next.at())
                .mapToLong(event -> event.at() + lease.toMillis() - fault.struckAt())
                .max()
                .stream()
                .map(left -> Math.max(0, left))
                .findFirst()
                .orElse(0);
    }

    private Optional<Long> redelivery(FaultRecord fault) {
        return story(fault)
                .filter(event -> event.isAsked() && event.at() > fault.struckAt())
                .findFirst()
                .map(event -> event.at() - fault.struckAt());
    }
}
