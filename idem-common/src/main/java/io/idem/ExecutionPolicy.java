package io.idem;

import static io.idem.internal.value.Arguments.require;

import java.time.Duration;

/**
 * Rules for the execution of an operation: the lease and its renewal, retention, the limit of attempts, and the
 * treatment of failures. The values are checked against each other. Immutable; start with {@link #defaults()} or
 * {@link #of} and refine.
 *
 * @param lease the time for which a grant lasts without renewal; default {@link #DEFAULT_LEASE}
 * @param renewEvery the time between two renewals; at most half the lease; default a third of it
 * @param margin the time before the lease's end from which the owner no longer trusts it; default a tenth of the lease
 * @param retention the time for which a settled record is kept; default {@link #DEFAULT_RETENTION}; at most 100 years
 * @param maxAttempts the number of grants after which the record is exhausted, at most 65,535; default 0 for no limit
 * @param attempts the treatment of attempts that fail, are delayed or take over; default {@link AttemptPolicy#DEFAULT}
 */
public record ExecutionPolicy(
        Duration lease,
        Duration renewEvery,
        Duration margin,
        Duration retention,
        int maxAttempts,
        AttemptPolicy attempts) {

    /** The default lease of 30 seconds: longer than a garbage collection, short enough to wait for a takeover. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** The default retention of 24 hours, as HTTP APIs commonly promise their clients. */
    public static final Duration DEFAULT_RETENTION = Duration.ofHours(24);

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final int RENEWALS_PER_LEASE = 3;
    private static final int MARGINS_PER_LEASE = 10;

    /**
     * Creates a policy and checks its values.
     *
     * @throws IllegalArgumentException if the values do not fit together; the message names the value
     */
    public ExecutionPolicy {
        requireCountable("lease", lease);
        requireCountable("retention", retention);
        require(lease.compareTo(SHORTEST_LEASE) >= 0, "lease " + lease + " is shorter than " + SHORTEST_LEASE);
        require(!renewEvery.isNegative() && !renewEvery.isZero(), "renewEvery " + renewEvery + " is not positive");
        require(
                renewEvery.compareTo(lease.dividedBy(2)) <= 0,
                "renewEvery " + renewEvery + " leaves no second try within the lease " + lease
                        + "; use at most half of it");
        require(!margin.isNegative(), "margin " + margin + " is negative");
        require(
                margin.compareTo(lease.minus(renewEvery)) < 0,
                "margin " + margin + " with renewEvery " + renewEvery + " leaves nothing of the lease " + lease);
        require(retention.compareTo(lease) >= 0, "retention " + retention + " is shorter than the lease " + lease);
        require(
                maxAttempts >= 0 && maxAttempts <= AcquireRequest.MOST_ATTEMPTS,
                "maxAttempts " + maxAttempts + " is not between 0, for no limit, and " + AcquireRequest.MOST_ATTEMPTS);
        Duration delay = attempts.backoff().longest();
        require(
                delay.compareTo(retention) <= 0,
                "backoff.longest " + delay + " is longer than the retention " + retention
                        + ": the record could be forgotten before its next attempt");
    }

    /** Creates a policy with {@link AttemptPolicy#DEFAULT}. */
    public ExecutionPolicy(Duration lease, Duration renewEvery, Duration margin, Duration retention, int maxAttempts) {
        this(lease, renewEvery, margin, retention, maxAttempts, AttemptPolicy.DEFAULT);
    }

    /** Returns the policy whose values are all defaults. */
    public static ExecutionPolicy defaults() {
        return of(DEFAULT_LEASE, DEFAULT_RETENTION);
    }

    /** Returns a policy whose renewal and margin follow from its lease: a third and a tenth of it. */
    public static ExecutionPolicy of(Duration lease, Duration retention) {
        return new ExecutionPolicy(
                lease, lease.dividedBy(RENEWALS_PER_LEASE), lease.dividedBy(MARGINS_PER_LEASE), retention, 0);
    }

    /** Returns a copy with another retention. */
    public ExecutionPolicy withRetention(Duration duration) {
        return new ExecutionPolicy(lease, renewEvery, margin, duration, maxAttempts, attempts);
    }

    /** Returns a copy with another limit of attempts; 0 for no limit. */
    public ExecutionPolicy withMaxAttempts(int limit) {
        return new ExecutionPolicy(lease, renewEvery, margin, retention, limit, attempts);
    }

    /** Returns a copy with other rules for attempts. */
    public ExecutionPolicy withAttempts(AttemptPolicy policy) {
        return new ExecutionPolicy(lease, renewEvery, margin, retention, maxAttempts, policy);
    }

    private static void requireCountable(String name, Duration value) {
        require(
                value.compareTo(RecordUpdate.LONGEST_DELAY) <= 0,
                name + " " + value + " is longer than " + RecordUpdate.LONGEST_DELAY + ", 100 years");
    }
}
