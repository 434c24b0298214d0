package io.idem.servers.junit;

import io.idem.servers.AmqpServers;
import java.util.function.BooleanSupplier;

/** The condition of {@link RequiresRabbitMq}. */
final class RabbitMqCondition extends ServerCondition {

    private static final String INSISTING = "IDEM_REQUIRE_RABBITMQ";

    RabbitMqCondition() {
        this(() -> AmqpServers.realRabbitMq().isPresent(), () -> isSet(INSISTING));
    }

    RabbitMqCondition(BooleanSupplier available, BooleanSupplier insisting) {
        super("real RabbitMQ", "set IDEM_AMQP_URI to one", INSISTING, available, insisting);
    }
}
