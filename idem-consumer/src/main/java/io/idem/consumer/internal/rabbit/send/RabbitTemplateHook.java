package io.idem.consumer.internal.rabbit.send;

import io.idem.consumer.internal.guard.FinishedBeans;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.publish.EquippedTemplate;
import io.idem.consumer.internal.rabbit.publish.TemplateProof;
import io.idem.consumer.rabbit.publish.IdempotencyHeadersPostProcessor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.BatchingRabbitTemplate;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.expression.EvaluationException;

/**
 * Adds the headers to the messages of every {@link RabbitTemplate} bean, however it was made, after its own post-processors.
 * Inside an inbox it keeps them; outside it makes idempotent work wait for the broker's confirms where the template's
 * connection has them. Warns at start-up of templates for which it cannot.
 */
public final class RabbitTemplateHook implements BeanPostProcessor, SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitTemplateHook.class);

    /** Beans of some scopes are made many times. */
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    private final MessagePostProcessor headers = new IdempotencyHeadersPostProcessor();
    private final Supplier<RabbitConnections> connections;
    private final Supplier<StartProof> proof;

    /**
     * Equips the templates of the application.
     *
     * @param connections of the application; needed when a template keeps a message or gets one back
     * @param proof proves each template; needed when the first one is made
     */
    public RabbitTemplateHook(Supplier<RabbitConnections> connections, Supplier<StartProof> proof) {
        this.connections = connections;
        this.proof = proof;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (target(bean) instanceof BatchingRabbitTemplate && warned.add(beanName)) {
            LOG.warn(
                    "Template \"{}\" batches: its messages share one header table, so they get no idempotency key, and no inbox keeps"
                            + " them; publish what idempotent listeners receive through another template",
                    beanName);
        }
        equip(bean, beanName);
        return bean;
    }

    private void equip(Object bean, String beanName) {
        if (target(bean) instanceof RabbitTemplate template && !(template instanceof BatchingRabbitTemplate)) {
            EquippedTemplate equipped = new EquippedTemplate(template, connections, headers);
            if (equipped.equip()) {
                proof.get().ofTemplate(new TemplateProof(equipped, beanName, proof.get()));
                if (!template.isChannelTransacted() && warned.add(beanName)) {
                    warn(beanName, template);
                }
            }
        }
    }

    private static Object target(Object bean) {
        Object target = AopProxyUtils.getSingletonTarget(bean);
        return target == null ? bean : target(target);
    }

    private void warn(String beanName, RabbitTemplate template) {
        ConnectionFactory connection = template.getConnectionFactory();
        boolean confirms = connection.isPublisherConfirms();
        if (!confirms || !connection.isPublisherReturns() || !isMandatory(template)) {
            LOG.warn(
                    "Outside an inbox, what idempotent work publishes through template \"{}\" may be lost: {}. It may"
                            + " also leave although the work fails. Set spring.rabbitmq.publisher-confirm-type to"
                            + " correlated and spring.rabbitmq.publisher-returns to true (on connection factories of your"
                            + " own setPublisherConfirmType and setPublisherReturns, on templates of your own"
                            + " setMandatory), or let the work run in an inbox, where its messages are kept until the"
                            + " commit",
                    beanName,
                    confirms
                            ? "it is confirmed, but a message that no queue takes does not come back"
                            : "its connection has no correlated publisher confirms");
        }
    }

    /**
     * Returns whether the template publishes as mandatory. One that decides by message is judged by its messages later.
     */
    private static boolean isMandatory(RabbitTemplate template) {
        try {
            return template.isMandatoryFor(new Message(new byte[0]));
        } catch (EvaluationException dependsOnTheMessage) {
            return true;
        }
    }

    /** Equips the templates that no post-processor saw, and those again that other beans have set up since. */
    @Override
    public void afterSingletonsInstantiated() {
        FinishedBeans.of(connections.get().beans(), RabbitTemplateHook.class, this::equip);
    }
}
