package io.idem;

import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes that a scope, a listener or a route makes to a policy. A null component keeps the policy's value.
 *
 * @param lease the time for which a grant lasts without renewal
 * @param renewEvery the time between two renewals; if only the lease is changed, a third of it
 * @param margin the time before the lease's end from which the owner no longer trusts it; if only the lease is changed,
 *     a tenth of it
 * @param retention the time for which a settled record is kept
 * @param maxAttempts the number of grants after which a record is exhausted; 0 for no limit
 * @param attempts changes the rules for attempts that fail, are delayed or take over
 */
public record PolicyOverrides(
        @Nullable Duration lease,
        @Nullable Duration renewEvery,
        @Nullable Duration margin,
        @Nullable Duration retention,
        @Nullable Integer maxAttempts,
        UnaryOperator<AttemptPolicy> attempts) {

    /** The overrides that change nothing. */
    public static final PolicyOverrides NONE =
            new PolicyOverrides(null, null, null, null, null, UnaryOperator.identity());

    /**
     * Returns the changed policy. All values are changed at once, so that only the result has to fit together.
     *
     * @throws IllegalArgumentException if the result does not fit together; the message names the value
     */
    public ExecutionPolicy applyTo(ExecutionPolicy base) {
        Duration newLease = orElse(lease, base.lease());
        ExecutionPolicy derived = newLease.equals(base.lease()) ? base : ExecutionPolicy.of(newLease, newLease);
        return new ExecutionPolicy(
                newLease,
                orElse(renewEvery, derived.renewEvery()),
                orElse(margin, derived.margin()),
                orElse(retention, base.retention()),
                orElse(maxAttempts, base.maxAttempts()),
                attempts.apply(base.attempts()));
    }

    private static <T> T orElse(@Nullable T own, T base) {
        return Objects.requireNonNullElse(own, base);
    }
}
