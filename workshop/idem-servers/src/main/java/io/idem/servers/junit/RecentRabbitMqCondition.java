package io.idem.servers.junit;

import io.idem.servers.AmqpServers;

/** The condition of {@link RequiresRecentRabbitMq}. */
final class RecentRabbitMqCondition extends ServerCondition {

    private static final String INSISTING = "IDEM_REQUIRE_RECENT_RABBITMQ";

    RecentRabbitMqCondition() {
        super(
                "RabbitMQ 4.3 or newer",
                "set IDEM_AMQP_URI to one",
                INSISTING,
                () -> AmqpServers.realRabbitMqAtLeast(4, 3),
                () -> isSet(INSISTING));
    }
}
