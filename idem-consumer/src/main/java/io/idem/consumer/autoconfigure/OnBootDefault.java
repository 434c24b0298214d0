package io.idem.consumer.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless the application excluded the auto-configuration of Boot from whose beans idem makes a template. That
 * template is made before Boot's, so the condition cannot ask for those beans themselves.
 */
abstract class OnBootDefault extends SpringBootCondition {

    /** A name, because the condition is also made where that class is missing. */
    private final String needed;

    private OnBootDefault(String needed) {
        this.needed = needed;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Boot's own");
        boolean excluded = context.getBeanFactory() != null
                && ConditionEvaluationReport.get(context.getBeanFactory())
                        .getExclusions()
                        .contains(needed);
        return excluded
                ? ConditionOutcome.noMatch(message.because(needed + " is excluded"))
                : ConditionOutcome.match(message.because(needed + " is not excluded"));
    }

    /** Condition for a template that is made from the beans of Boot's auto-configuration of Kafka. */
    static final class Kafka extends OnBootDefault {

        Kafka() {
            super("org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration");
        }
    }

    /** Condition for a template that is made from the beans of Boot's auto-configuration of RabbitMQ. */
    static final class Rabbit extends OnBootDefault {

        Rabbit() {
            super("org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration");
        }
    }
}
