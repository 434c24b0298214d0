package io.idem.workshop.chaos.check;

import java.util.List;
import java.util.Optional;

/**
 * Finds the cause of a duplicate effect from the owners' logs, the kills, and the faults of Redis and the workers.
 * Accepts no cause without evidence for the very key. Pure functions.
 */
public final class Inquest {

    /** Maximum delay between a moment by Redis's clock and the log line of the owner that received the answer. */
    private static final long NOTED_LATE_MILLIS = 500;

    private final long leaseMillis;
    private final List<Killed> killed;
    private final List<Hurt> hurts;
    private final Stalls stalls;

    /**
     * A SIGKILL to a process.
     *
     * @param pid process id
     * @param at time of its end
     */
    public record Killed(long pid, long at) {}

    /**
     * A period in which a fault was active.
     *
     * @param what description for people
     * @param from start in milliseconds since the epoch
     * @param to end in milliseconds since the epoch
     * @param kind possible consequences
     */
    public record Hurt(String what, long from, long to, Kind kind) {

        /** The possible consequences of a fault. */
        public enum Kind {
            /** Leases end without a renewal, and completions do not arrive. */
            STALLS,
            /** Redis loses records that it had confirmed. */
            FORGETS,
            /** The consequences of both {@link #STALLS} and {@link #FORGETS}. */
            STALLS_AND_FORGETS,
            /** Leases end at once, or much later than they should. */
            ENDS_LEASES
        }

        boolean overlaps(long first, long last) {
            return from <= last && to >= first;
        }
    }

    /** Creates an inquest from the known facts of a run. */
    public Inquest(long leaseMillis, List<Killed> killed, List<Hurt> hurts, Stalls stalls) {
        this.leaseMillis = leaseMillis;
        this.killed = List.copyOf(killed);
        this.hurts = List.copyOf(hurts);
        this.stalls = stalls;
    }

    /**
     * Returns the cause of the second effect.
     *
     * @param first the earlier effect
     * @param second next effect of the same key
     * @param story events of the key in the scope
     */
    public Doubled of(LedgerRow first, LedgerRow second, List<Event> story) {
        Optional<Event> own = story.stream()
                .filter(event -> event.isGrant() && event.fence() == first.fence())
                .findFirst();
        Optional<Event> next = story.stream()
                .filter(event -> event.isGrant() && event.fence() > first.fence() && event.fence() <= second.fence())
                .findFirst();
        if (own.isEmpty() || next.isEmpty()) {
            return unexplained(first, "no grant to a second owner is on record");
        }
        return of(first, own.get(), next.get(), story);
    }

    private Doubled of(LedgerRow first, Event own, Event next, List<Event> story) {
        return switch (next.what()) {
            case "FRESH" -> forgotten(first, own, next);
            case "TAKEOVER" -> takenOver(first, own, next, story);
            default -> unexplained(first, "its first owner gave the key back");
        };
    }

    private Doubled forgotten(LedgerRow first, Event own, Event next) {
        return hurt(own.at(), next.at(), Hurt.Kind.FORGETS)
                .map(hurt -> new Doubled(first.key(), Cause.DATA_LOST, "granted as new after " + hurt.what()))
                .orElseGet(() -> unexplained(first, "granted as new though Redis lost nothing"));
    }

    private Doubled takenOver(LedgerRow first, Event own, Event next, List<Event> story) {
        if (killed.stream().anyMatch(one -> one.pid() == own.pid() && one.at() >= own.at() && one.at() <= next.at())) {
            return new Doubled(
                    first.key(), Cause.CRASH, "its owner " + own.pid() + " was killed, then it was taken over");
        }
        boolean confirmed = story.stream()
                .anyMatch(event ->
                        event.what().equals("COMPLETED") && event.fence() == own.fence() && event.at() <= next.at());
        return confirmed
                ? forgotten(first, own, next)
                : cutShort(first, own, next).orElseGet(() -> outlived(first, own, next, story));
    }

    /**
     * Returns a duplicate if a fault ended the lease early. Its owner learns of that at its next renewal, at the latest
     * at the end of the lease by its own count.
     */
    private Optional<Doubled> cutShort(LedgerRow first, Event own, Event next) {
        return first.writtenAt() > next.at() + leaseMillis
                ? Optional.empty()
                : hurt(own.at(), next.at(), Hurt.Kind.ENDS_LEASES)
                        .map(hurt ->
                                new Doubled(first.key(), Cause.LEASE_OUTLIVED, "taken over during " + hurt.what()));
    }

    private Doubled outlived(LedgerRow first, Event own, Event next, List<Event> story) {
        long renewed = story.stream()
                .filter(event -> event.isLease() && event.fence() == own.fence() && event.at() <= next.at())
                .mapToLong(Event::at)
                .max()
                .orElse(own.at());
        if (next.at() < renewed + leaseMillis - NOTED_LATE_MILLIS) {
            return unexplained(first, "taken over " + (next.at() - renewed) + " ms after its last renewal");
        }
        if (first.writtenAt() > next.at() + NOTED_LATE_MILLIS) {
            return unexplained(first, "it wrote when it had long been taken over");
        }
        return obstacle(own.pid(), renewed, next.at())
                .map(obstacle -> new Doubled(
                        first.key(),
                        Cause.LEASE_OUTLIVED,
                        "taken over " + (next.at() - renewed) + " ms after its last renewal, " + obstacle))
                .orElseGet(() -> unexplained(first, "its lease was not renewed, and nothing was hurt"));
    }

    /**
     * Returns the obstacle that kept an owner from renewing its lease: an injected fault, or a stall of the machine.
     */
    private Optional<String> obstacle(long pid, long renewed, long end) {
        return hurt(renewed, end, Hurt.Kind.STALLS)
                .map(hurt -> "during " + hurt.what())
                .or(() -> stalled(pid, renewed));
    }

    /**
     * Returns the stall that kept an owner from renewing. Renewals are due every third of a lease, so only a stall of
     * most of the rest prevents one.
     */
    private Optional<String> stalled(long pid, long renewed) {
        long millis = stalls.millis(pid, renewed, renewed + leaseMillis);
        return millis * 2 < leaseMillis
                ? Optional.empty()
                : Optional.of("of which its process, or its way to Redis, stood still for " + millis + " ms");
    }

    private Optional<Hurt> hurt(long from, long to, Hurt.Kind kind) {
        return hurts.stream()
                .filter(hurt -> hurt.overlaps(from, to))
                .filter(hurt -> hurt.kind() == kind || hurt.kind() == Hurt.Kind.STALLS_AND_FORGETS)
                .findFirst();
    }

    private static Doubled unexplained(LedgerRow first, String evidence) {
        return new Doubled(first.key(), Cause.UNEXPLAINED, evidence);
    }
}
