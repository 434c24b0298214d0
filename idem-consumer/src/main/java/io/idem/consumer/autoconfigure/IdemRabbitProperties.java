package io.idem.consumer.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.consumer.rabbit}.
 *
 * @param propagatingTemplate whether the auto-configured {@code RabbitTemplate} is a {@code PropagatingRabbitTemplate}, where
 *     publisher confirms and returns are on
 * @param confirmTimeout how long the broker may take to confirm a dead letter or a message kept by an inbox
 * @param replyHeaders whether replies of listeners carry a key derived from their request's, with tenant and root
 * @param deadLetter where messages go that will never run; by default the queue's own policy decides
 */
@ConfigurationProperties("idem.consumer.rabbit")
record IdemRabbitProperties(
        @DefaultValue("true") boolean propagatingTemplate,
        @DefaultValue("10s") Duration confirmTimeout,
        @DefaultValue("false") boolean replyHeaders,
        @DefaultValue DeadLetter deadLetter) {

    /**
     * A destination to which idem publishes and whose confirm it awaits before it acknowledges.
     *
     * @param exchange an exchange; empty text for the default exchange
     * @param routingKey by default the name of the queue that the message came from
     */
    record DeadLetter(
            @Nullable String exchange, @DefaultValue("") String routingKey) {}
}
