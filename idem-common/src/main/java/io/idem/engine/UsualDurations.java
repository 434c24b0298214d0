package io.idem.engine;

import static io.idem.internal.Durations.longer;
import static io.idem.internal.Durations.shorter;

import io.idem.ExecutionPolicy;
import io.idem.MonotonicClock;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.spi.ExecutionEnd;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Moving estimates of how long the work of an intake's scope takes in this instance, for the retry times of clients.
 * Brokers get the rest of the lease instead, because each redelivery costs. Thread-safe.
 */
final class UsualDurations {

    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration UNKNOWN = Duration.ofSeconds(2);
    private static final Set<ExecutionEnd> OF_WORK = EnumSet.of(
            ExecutionEnd.EXECUTED,
            ExecutionEnd.RELEASED,
            ExecutionEnd.REJECTED_NOW,
            ExecutionEnd.SUPERSEDED,
            ExecutionEnd.UNRECORDED,
            ExecutionEnd.FAILED);

    private final MonotonicClock clock;
    private final Map<Scope, Estimate> estimates = new ConcurrentHashMap<>();

    UsualDurations(MonotonicClock clock) {
        this.clock = clock;
    }

    /** Begins to time granted work. Its duration counts if it ends as work does that has run. */
    Consumer<ExecutionEnd> timer(Scope scope) {
        long grantedAt = clock.nanoTime();
        return end -> {
            if (OF_WORK.contains(end)) {
                double nanos = Math.max(1, clock.nanoTime() - grantedAt);
                estimates.merge(scope, new Estimate(nanos, nanos * nanos), Estimate::movedBy);
            }
        };
    }

    /**
     * Returns after which time a duplicate of work in progress may usefully come back: the usual duration of such work,
     * between a second and the rest of the lease; two seconds if no duration is known yet. The rest of the lease is
     * returned if the owner has missed its renewals: it has died, and nothing ends sooner.
     */
    Duration retryAfter(Operation operation, Duration rest) {
        Estimate estimate = estimates.get(operation.record().scope());
        return missedRenewals(operation.policy(), rest)
                ? rest
                : shorter(rest, estimate == null ? UNKNOWN : longer(LEAST, estimate.met()));
    }

    private static boolean missedRenewals(ExecutionPolicy policy, Duration rest) {
        return rest.plus(policy.renewEvery().multipliedBy(2)).compareTo(policy.lease()) < 0;
    }

    /** Moving means of durations in nanoseconds, and of their squares. */
    private record Estimate(double mean, double meanSquare) {

        private static final double WEIGHT = 0.1;

        Estimate movedBy(Estimate newest) {
            return new Estimate(moved(mean, newest.mean), moved(meanSquare, newest.meanSquare));
        }

        private static double moved(double before, double newest) {
            return before + WEIGHT * (newest - before);
        }

        /** Returns the mean over the work that duplicates meet: work of twice the length is met twice as often. */
        Duration met() {
            return Duration.ofNanos((long) (meanSquare / mean));
        }
    }
}
