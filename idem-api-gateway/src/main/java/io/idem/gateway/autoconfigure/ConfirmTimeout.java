package io.idem.gateway.autoconfigure;

import io.idem.gateway.GatewayConfigurationException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a broker may take. */
final class ConfirmTimeout {

    private static final Duration DEFAULT = Duration.ofSeconds(5);

    private ConfirmTimeout() {}

    /** A shorter one than the lease, so that a client whose request is given up need not wait for the lease's end as well. */
    static Duration of(@Nullable Duration configured, Duration lease) {
        if (configured == null) {
            Duration half = lease.dividedBy(2);
            return half.compareTo(DEFAULT) < 0 ? half : DEFAULT;
        }
        if (configured.isNegative() || configured.isZero() || configured.compareTo(lease) >= 0) {
            throw new GatewayConfigurationException(
                    "Setting idem.gateway.confirm-timeout: " + configured + " is not between 0 and the lease " + lease,
                    "Set it to less than idem.lease",
                    null);
        }
        return configured;
    }
}
