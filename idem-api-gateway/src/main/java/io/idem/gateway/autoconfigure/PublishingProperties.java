package io.idem.gateway.autoconfigure;

import io.idem.gateway.internal.handoff.PublishingLimit;
import io.idem.gateway.internal.intake.GatewayConfigurationException;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.gateway} about publishing.
 *
 * @param maxPublishing how many messages may be on their way to each broker at a time; requests beyond that get 503; default 100, half of
 *     the threads that Tomcat has by default
 */
@ConfigurationProperties("idem.gateway")
record PublishingProperties(@DefaultValue("100") int maxPublishing) {

    PublishingProperties {
        if (maxPublishing < 1) {
            throw new GatewayConfigurationException(
                    "Setting idem.gateway.max-publishing: " + maxPublishing + " lets nothing be published",
                    "Set it to 1 or more, and to fewer than server.tomcat.threads.max",
                    null);
        }
    }

    /** For one broker. */
    PublishingLimit limit() {
        return new PublishingLimit(maxPublishing);
    }
}
