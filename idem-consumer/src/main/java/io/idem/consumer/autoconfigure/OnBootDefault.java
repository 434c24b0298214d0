package io.idem.consumer.autoconfigure;

import java.util.Collections;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless the application excluded Boot's auto-configuration of a broker, and so wants nothing of the broker. Where
 * idem makes a template before Boot's, the condition cannot ask for the beans themselves.
 */
abstract class OnBootDefault extends SpringBootCondition {

    /** The name of Boot's auto-configuration of Kafka. */
    static final String KAFKA = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration";

    /** Names, because the condition is also made where the class is missing. */
    private final List<String> names;

    private OnBootDefault(String... names) {
        this.names = List.of(names);
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Boot's own");
        boolean excluded = context.getBeanFactory() != null
                && !Collections.disjoint(
                        ConditionEvaluationReport.get(context.getBeanFactory()).getExclusions(), names);
        return excluded
                ? ConditionOutcome.noMatch(message.because(names + " is excluded"))
                : ConditionOutcome.match(message.because(names + " is not excluded"));
    }

    /** Condition for what needs the beans of Boot's auto-configuration of Kafka. */
    static final class Kafka extends OnBootDefault {

        Kafka() {
            super(KAFKA);
        }
    }

    /** Condition for what needs the beans of Boot's auto-configuration of RabbitMQ. */
    static final class Rabbit extends OnBootDefault {

        Rabbit() {
            super(BootRabbit.AUTO_CONFIGURATION, BootRabbit.EARLIER_AUTO_CONFIGURATION);
        }
    }
}
