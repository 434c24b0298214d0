package io.idem.workshop.chaos.check;

import java.util.List;
import java.util.Optional;

/**
 * Finds why an effect came about twice, from the owners' logs, who was killed when, and what was done to Redis and the workers.
 * Believes no cause without evidence of this very key. Pure functions.
 */
public final class Inquest {

    /** Between the moment at which Redis counts and the one at which an owner notes its answer. */
    private static final long NOTED_LATE_MILLIS = 500;

    private final long leaseMillis;
    private final List<Killed> killed;
    private final List<Hurt> hurts;
    private final Stalls stalls;

    /**
     * SIGKILL to a process.
     *
     * @param pid its number
     * @param at when it was gone
     */
    public record Killed(long pid, long at) {}

    /**
     * A time in which something was out of order.
     *
     * @param what for people
     * @param from milliseconds since the epoch
     * @param to likewise
     * @param kind what it can lead to
     */
    public record Hurt(String what, long from, long to, Kind kind) {

        /** What a hurt can lead to. */
        public enum Kind {
            /** Leases end without a renewal, and completions do not arrive. */
            STALLS,
            /** Redis forgets what it had confirmed. */
            FORGETS,
            /** Both. */
            STALLS_AND_FORGETS,
            /** Leases end at once, or much later than they should. */
            ENDS_LEASES
        }

        boolean overlaps(long first, long last) {
            return from <= last && to >= first;
        }
    }

    /** With what is known of a run. */
    public Inquest(long leaseMillis, List<Killed> killed, List<Hurt> hurts, Stalls stalls) {
        this.leaseMillis = leaseMillis;
        this.killed = List.copyOf(killed);
        this.hurts = List.copyOf(hurts);
        this.stalls = stalls;
    }

    /**
     * Why there are two.
     *
     * @param first the earlier effect
     * @param second the next one of its key
     * @param story of that key in that scope
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

    /** Its owner learns of it when it renews, at the latest at the end that it counts on itself. */
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

    /** What kept an owner from renewing its lease: our fault, or one of the machine. */
    private Optional<String> obstacle(long pid, long renewed, long end) {
        return hurt(renewed, end, Hurt.Kind.STALLS)
                .map(hurt -> "during " + hurt.what())
                .or(() -> stalled(pid, renewed));
    }

    /** Renewals come every third of a lease: only who stood still for most of the rest had no turn. */
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
