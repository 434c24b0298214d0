package io.idem.gateway.autoconfigure;

import static io.idem.internal.Durations.shorter;

import io.idem.ConfigurationException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The longest time for a broker's confirm. */
final class ConfirmTimeout {

    private static final Duration DEFAULT = Duration.ofSeconds(5);
    private static final int THIRDS = 3;

    private ConfirmTimeout() {}

    /**
     * Returns the timeout, at most two thirds of the lease. The rest is for the store, so that a request ends within a
     * lease that is not renewed, and a client whose request is given up need not wait for the end of the lease too.
     */
    static Duration of(@Nullable Duration configured, Duration lease) {
        if (configured == null) {
            return shorter(lease.dividedBy(2), DEFAULT);
        }
        Duration longest = lease.dividedBy(THIRDS).multipliedBy(THIRDS - 1);
        if (configured.isNegative() || configured.isZero() || configured.compareTo(longest) > 0) {
            throw new ConfigurationException(
                    "Setting idem.gateway.confirm-timeout: " + configured + " is not between 0 and " + longest
                            + ", two thirds of the lease " + lease,
                    "Set it to at most two thirds of idem.lease");
        }
        return configured;
    }
}
