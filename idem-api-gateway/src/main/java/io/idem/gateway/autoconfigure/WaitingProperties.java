package io.idem.gateway.autoconfigure;

import io.idem.gateway.internal.intake.GatewayConfigurationException;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.gateway} about clients that wait.
 *
 * @param maxWait for how long Prefer: wait is followed at most; zero for not at all; counts in whole seconds; default 10 s
 * @param maxWaiting how many clients wait at a time; further ones are answered at once; default 1,000
 */
@ConfigurationProperties("idem.gateway")
record WaitingProperties(
        @DefaultValue("10s") Duration maxWait,
        @DefaultValue("1000") int maxWaiting) {

    private static final Duration LONGEST = Duration.ofHours(1);

    WaitingProperties {
        if (maxWait.isNegative() || maxWait.compareTo(LONGEST) > 0) {
            throw invalid("max-wait: " + maxWait + " is not between 0 and " + LONGEST, "Set it to some seconds");
        }
        if (maxWaiting < 0) {
            throw invalid("max-waiting: " + maxWaiting + " is negative", "Set it to 0 or more");
        }
    }

    private static GatewayConfigurationException invalid(String complaint, String action) {
        return new GatewayConfigurationException("Setting idem.gateway." + complaint, action, null);
    }
}
