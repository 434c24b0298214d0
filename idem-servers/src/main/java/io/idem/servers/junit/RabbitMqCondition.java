package io.idem.servers.junit;

import io.idem.servers.AmqpServers;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides for {@link RequiresRabbitMq}. */
final class RabbitMqCondition implements ExecutionCondition {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitMqCondition.class);
    private static final String INSISTING = "IDEM_REQUIRE_RABBITMQ";
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(RabbitMqCondition.class);

    private final BooleanSupplier available;
    private final BooleanSupplier insisting;

    /** Used by JUnit. */
    RabbitMqCondition() {
        this(() -> AmqpServers.realRabbitMq().isPresent(), RabbitMqCondition::insists);
    }

    RabbitMqCondition(BooleanSupplier available, BooleanSupplier insisting) {
        this.available = available;
        this.insisting = insisting;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return decide(
                context.getDisplayName(),
                () -> context.getRoot()
                        .getStore(OURS)
                        .computeIfAbsent(SkipCount.class)
                        .increment());
    }

    ConditionEvaluationResult decide(String test, Runnable onSkip) {
        if (available.getAsBoolean()) {
            return ConditionEvaluationResult.enabled("there is a RabbitMQ");
        }
        if (insisting.getAsBoolean()) {
            throw new IllegalStateException(
                    "No RabbitMQ for " + test + ", and " + INSISTING + " is set: set IDEM_AMQP_URI to one");
        }
        LOG.warn("SKIPPED: {} needs a real RabbitMQ, set IDEM_AMQP_URI to one", test);
        onSkip.run();
        return ConditionEvaluationResult.disabled("SKIPPED: no real RabbitMQ here");
    }

    private static boolean insists() {
        return Optional.ofNullable(System.getProperty(INSISTING))
                .or(() -> Optional.ofNullable(System.getenv(INSISTING)))
                .filter(Boolean::parseBoolean)
                .isPresent();
    }
}
