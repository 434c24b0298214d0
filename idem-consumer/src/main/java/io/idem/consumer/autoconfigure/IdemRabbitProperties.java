package io.idem.consumer.autoconfigure;

import io.idem.consumer.rabbit.DeferralSettings;
import io.idem.consumer.rabbit.DeferralStrategy;
import io.idem.consumer.rabbit.RabbitTenant;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.consumer.rabbit}.
 *
 * @param confirmTimeout how long the broker may take to confirm a dead letter or a message kept by an inbox
 * @param tenant whose key a message has that names no tenant or the default one: the default tenant's, that of its virtual host, or
 *     that of its connection (the bean name of the connection factory)
 * @param deadLetter where messages go that will never run; by default the queue's own policy decides
 * @param deferral how messages wait that cannot run now
 */
@ConfigurationProperties("idem.consumer.rabbit")
record IdemRabbitProperties(
        @DefaultValue("10s") Duration confirmTimeout,
        @DefaultValue("header") RabbitTenant tenant,
        @DefaultValue DeadLetter deadLetter,
        @DefaultValue Deferral deferral) {

    DeferralSettings deferralSettings() {
        return new DeferralSettings(
                deferral.strategy(),
                deferral.scopes(),
                deferral.delayQueue().delay(),
                deferral.delayQueue().declare(),
                deferral.delayQueue().type());
    }

    /**
     * The destination to which idem publishes dead letters and whose confirm it awaits before it acknowledges.
     *
     * @param exchange an exchange; empty text for RabbitMQ's nameless one; default none, the queue's own policy decides
     * @param routingKey of the dead letters; default the name of the queue that the message came from
     */
    record DeadLetter(
            @Nullable String exchange, @DefaultValue("") String routingKey) {}

    /**
     * Strategies for messages whose key is in progress at another owner, or whose last attempt asked for a delay.
     *
     * @param strategy of all scopes that have none of their own
     * @param scopes strategies of single scopes, by name
     */
    record Deferral(
            @DefaultValue("wait-then-redeliver") DeferralStrategy strategy,
            @DefaultValue Map<String, DeferralStrategy> scopes,
            @DefaultValue DelayQueue delayQueue) {}

    /**
     * The queues of strategy {@code delay-queue}: one for each queue that is listened to, named after it and the delay.
     *
     * @param delay how long a message stays there before it is delivered again
     * @param declare whether they are declared at start-up; if not, they must be there
     * @param type what they are declared as
     */
    record DelayQueue(
            @DefaultValue("10s") Duration delay,
            @DefaultValue("true") boolean declare,
            @DefaultValue("quorum") DeferralSettings.QueueType type) {}
}
