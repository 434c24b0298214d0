package io.idem.jdbc.internal;

import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Inbox.Request;
import java.time.Duration;
import java.util.Optional;

/**
 * The failed attempts of a record.
 *
 * @param attempts the number of failed attempts
 * @param fence the greatest fence of them
 * @param untilRetry the time until the earliest retry; zero or negative if it is over
 */
public record FailureRow(
        int attempts, long fence, Fingerprint fingerprint, boolean rejected, String reason, Duration untilRetry) {

    /** Returns these failures with other numbers: all attempts, and the fence of the last one if that is greater. */
    public FailureRow counting(int all, long last) {
        return new FailureRow(all, Math.max(fence, last), fingerprint, rejected, reason, untilRetry);
    }

    /** Returns the answer to a request that may not run; empty if it may. */
    public Optional<Claim> refusal(Request request) {
        if (!fingerprint.matches(request.fingerprint())) {
            return Optional.of(new Claim.Mismatch());
        }
        if (rejected) {
            return Optional.of(new Claim.Rejected(reason, fence));
        }
        if (request.maxAttempts() > 0 && attempts >= request.maxAttempts()) {
            return Optional.of(new Claim.Exhausted(attempts, fence));
        }
        return untilRetry.isNegative() || untilRetry.isZero()
                ? Optional.empty()
                : Optional.of(new Claim.NotYet(untilRetry));
    }
}
