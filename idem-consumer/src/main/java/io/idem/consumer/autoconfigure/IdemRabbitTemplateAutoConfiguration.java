package io.idem.consumer.autoconfigure;

import io.idem.consumer.rabbit.publish.PropagatingRabbitTemplate;
import io.idem.internal.spring.ConditionalOnSwitch;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitOperations;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** Makes Boot's {@code RabbitTemplate} a propagating one where its connection has publisher confirms and returns. */
@AutoConfiguration(beforeName = {BootRabbit.AUTO_CONFIGURATION, BootRabbit.EARLIER_AUTO_CONFIGURATION})
@ConditionalOnClass(RabbitOperations.class)
@Conditional({
    BootRabbit.OnClassPath.class,
    OnBootDefault.Rabbit.class,
    IdemRabbitTemplateAutoConfiguration.OneConnectionFactory.class
})
@ConditionalOnSwitch("idem.consumer.propagating-templates")
@ConditionalOnBooleanProperty("spring.rabbitmq.publisher-returns")
@ConditionalOnProperty(name = "spring.rabbitmq.publisher-confirm-type", havingValue = "correlated")
class IdemRabbitTemplateAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(RabbitOperations.class)
    PropagatingRabbitTemplate rabbitTemplate(ConnectionFactory connectionFactory, ListableBeanFactory beans) {
        PropagatingRabbitTemplate template = new PropagatingRabbitTemplate(connectionFactory);
        BootRabbit.configure(template, beans);
        return template;
    }

    /** Boot's own condition for its template, while Boot's connection factory is still to be created. */
    static final class OneConnectionFactory extends AnyNestedCondition {

        OneConnectionFactory() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnMissingBean(ConnectionFactory.class)
        static class Boots {}

        @ConditionalOnSingleCandidate(ConnectionFactory.class)
        static class TheApplications {}
    }
}
