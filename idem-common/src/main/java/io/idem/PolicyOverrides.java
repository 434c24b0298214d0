package io.idem;

import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a scope, a listener or a route changes of a policy it starts from. Null stands for what is not changed.
 *
 * @param lease how long a grant lasts without renewal
 * @param renewEvery pause between renewals; if only the lease is changed, a third of that
 * @param margin how long before the lease's end its owner stops trusting it; if only the lease is changed, a tenth of that
 * @param retention how long a settled record is kept
 * @param maxAttempts number of grants after which a record is exhausted; 0 for no limit
 * @param attempts changes what becomes of attempts that do not simply succeed
 */
public record PolicyOverrides(
        @Nullable Duration lease,
        @Nullable Duration renewEvery,
        @Nullable Duration margin,
        @Nullable Duration retention,
        @Nullable Integer maxAttempts,
        UnaryOperator<AttemptPolicy> attempts) {

    /** Changes nothing. */
    public static final PolicyOverrides NONE =
            new PolicyOverrides(null, null, null, null, null, UnaryOperator.identity());

    /**
     * The changed policy. All values are changed at once, so that only the result has to fit together.
     *
     * @throws IllegalArgumentException names the value and what it must be
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
