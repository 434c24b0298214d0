package io.idem.consumer.rabbit;

import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.core.BatchingRabbitTemplate;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Adds the headers to what every {@link RabbitTemplate} of the application publishes, after its own post processors. */
public final class RabbitTemplateHook implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitTemplateHook.class);

    private final Supplier<RabbitConnections> connections;

    /** @param connections of the application; asked when a template keeps a message */
    public RabbitTemplateHook(Supplier<RabbitConnections> connections) {
        this.connections = connections;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof BatchingRabbitTemplate) {
            LOG.warn(
                    "Template \"{}\" batches: its messages share one header table, so they get no idempotency key;"
                            + " publish what idempotent listeners receive through another template",
                    beanName);
        } else if (bean instanceof RabbitTemplate template) {
            template.addBeforePublishPostProcessors(new IdempotencyHeadersPostProcessor());
            if (template instanceof PropagatingRabbitTemplate propagating) {
                propagating.knowing(connections);
            }
        }
        return bean;
    }
}
