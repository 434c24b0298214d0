package io.idem.gateway.autoconfigure;

import io.idem.gateway.internal.intake.GatewayConfigurationException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a broker may take. */
final class ConfirmTimeout {

    private static final Duration DEFAULT = Duration.ofSeconds(5);
    private static final int THIRDS = 3;

    private ConfirmTimeout() {}

    /**
     * At most two thirds of the lease: the rest is as much as the store may take, so that a request is over before its lease would be if
     * nothing renewed it, and a client whose request is given up need not wait for the lease's end as well.
     */
    static Duration of(@Nullable Duration configured, Duration lease) {
        if (configured == null) {
            Duration half = lease.dividedBy(2);
            return half.compareTo(DEFAULT) < 0 ? half : DEFAULT;
        }
        Duration longest = lease.dividedBy(THIRDS).multipliedBy(THIRDS - 1);
        if (configured.isNegative() || configured.isZero() || configured.compareTo(longest) > 0) {
            throw new GatewayConfigurationException(
                    "Setting idem.gateway.confirm-timeout: " + configured + " is not between 0 and " + longest
                            + ", two thirds of the lease " + lease,
                    "Set it to at most two thirds of idem.lease",
                    null);
        }
        return configured;
    }
}
