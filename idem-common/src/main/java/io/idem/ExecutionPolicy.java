package io.idem;

import java.time.Duration;

/**
 * How an operation is executed: how long rights and memories last, how often it is tried, and what becomes of attempts that fail.
 * The values are checked against each other. Immutable; start with {@link #defaults()} or {@link #of} and refine.
 *
 * @param lease how long a grant lasts without renewal; default {@link #DEFAULT_LEASE}
 * @param renewEvery pause between renewals; at most half the lease; default a third of it
 * @param margin how long before the lease's end the owner stops trusting it; default a tenth of the lease
 * @param retention how long a settled record is kept; default {@link #DEFAULT_RETENTION}; at most 100 years
 * @param maxAttempts number of grants after which the record is exhausted, at most 65,535; 0, the default, for no limit
 * @param attempts what becomes of attempts that do not simply succeed; default {@link AttemptPolicy#DEFAULT}
 */
public record ExecutionPolicy(
        Duration lease,
        Duration renewEvery,
        Duration margin,
        Duration retention,
        int maxAttempts,
        AttemptPolicy attempts) {

    /** 30 s: long enough for a garbage collection, short enough to wait for a takeover. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** 24 h: the usual promise of HTTP APIs to their clients. */
    public static final Duration DEFAULT_RETENTION = Duration.ofHours(24);

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final int RENEWALS_PER_LEASE = 3;
    private static final int MARGINS_PER_LEASE = 10;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException names the value and what it must be
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

    /** Durations and a limit, with {@link AttemptPolicy#DEFAULT}. */
    public ExecutionPolicy(Duration lease, Duration renewEvery, Duration margin, Duration retention, int maxAttempts) {
        this(lease, renewEvery, margin, retention, maxAttempts, AttemptPolicy.DEFAULT);
    }

    /** The defaults. */
    public static ExecutionPolicy defaults() {
        return of(DEFAULT_LEASE, DEFAULT_RETENTION);
    }

    /** A policy whose renewal and margin follow from its lease. */
    public static ExecutionPolicy of(Duration lease, Duration retention) {
        return new ExecutionPolicy(
                lease, lease.dividedBy(RENEWALS_PER_LEASE), lease.dividedBy(MARGINS_PER_LEASE), retention, 0);
    }

    /** The same with another retention. */
    public ExecutionPolicy withRetention(Duration duration) {
        return new ExecutionPolicy(lease, renewEvery, margin, duration, maxAttempts, attempts);
    }

    /** The same with another limit of attempts. */
    public ExecutionPolicy withMaxAttempts(int limit) {
        return new ExecutionPolicy(lease, renewEvery, margin, retention, limit, attempts);
    }

    /** The same with another conduct towards attempts. */
    public ExecutionPolicy withAttempts(AttemptPolicy policy) {
        return new ExecutionPolicy(lease, renewEvery, margin, retention, maxAttempts, policy);
    }

    private static void requireCountable(String name, Duration value) {
        require(
                value.compareTo(RecordUpdate.LONGEST_DELAY) <= 0,
                name + " " + value + " is longer than " + RecordUpdate.LONGEST_DELAY + ", 100 years");
    }

    private static void require(boolean holds, String complaint) {
        if (!holds) {
            throw new IllegalArgumentException(complaint);
        }
    }
}
