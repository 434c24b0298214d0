package io.idem.consumer.autoconfigure;

import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.context.ContextArgumentResolver;
import io.idem.consumer.internal.call.BatchListeners;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.consumer.internal.rabbit.container.HeldDeliveries;
import io.idem.consumer.internal.rabbit.container.HookParts;
import io.idem.consumer.internal.rabbit.container.RabbitHookInstaller;
import io.idem.consumer.internal.rabbit.container.RabbitTenants;
import io.idem.consumer.internal.rabbit.defer.Deferrals;
import io.idem.consumer.internal.rabbit.defer.WaitLimits;
import io.idem.consumer.internal.rabbit.message.CallWait;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.publish.AmqpMessageReply;
import io.idem.consumer.internal.rabbit.publish.UnkeyedPublications;
import io.idem.consumer.internal.rabbit.send.AmqpOneSends;
import io.idem.consumer.internal.rabbit.send.RabbitDeadLetterWriter;
import io.idem.consumer.internal.rabbit.send.RabbitOutgoingTransport;
import io.idem.consumer.internal.rabbit.send.RabbitTemplateHook;
import io.idem.consumer.internal.rabbit.send.SendsHook;
import io.idem.consumer.rabbit.DeliveryLimits;
import io.idem.consumer.rabbit.deadletter.RabbitDeadLetterSource;
import io.idem.internal.method.CallWaits;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.amqp.rabbitmq.client.RabbitAmqpTemplate;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Idempotent {@code @RabbitListener} methods, and headers on the messages that {@code RabbitTemplate}s publish. */
@AutoConfiguration(
        after = IdemConsumerAutoConfiguration.class,
        afterName = {BootRabbit.AUTO_CONFIGURATION, BootRabbit.EARLIER_AUTO_CONFIGURATION})
@ConditionalOnClass(RabbitListenerConfigurer.class)
@EnableConfigurationProperties(IdemRabbitProperties.class)
class IdemRabbitAutoConfiguration {

    private static final String DEFERRAL = "idem.consumer.rabbit.deferral";

    IdemRabbitAutoConfiguration(Environment environment) {
        boolean brokerDelay = Binder.get(environment)
                .bind(DEFERRAL, Bindable.mapOf(String.class, String.class))
                .orElseGet(Map::of)
                .values()
                .stream()
                .anyMatch(value -> value.replaceAll("[-_]", "").equalsIgnoreCase("brokerdelay"));
        if (brokerDelay) {
            throw new ListenerConfigurationException(
                    "Settings " + DEFERRAL + ": the strategy broker-delay was removed",
                    "Set delay-queue, with which a deferred message occupies no consumer either, or remove the"
                            + " setting: with wait-then-redeliver it waits on its delivering thread.",
                    null);
        }
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RabbitHookInstaller idempotentRabbitHookInstaller(
            ObjectProvider<IdempotentListeners> listeners,
            ObjectProvider<BatchListeners> batches,
            ObjectProvider<RabbitDeadLetterWriter> deadLetters,
            ObjectProvider<RabbitTenants> tenants,
            ObjectProvider<Deferrals> deferrals,
            ObjectProvider<MessageRecoverer> recoverers,
            ObjectProvider<StartProof> proof,
            Environment environment) {
        return new RabbitHookInstaller(new HookParts(
                listeners::getObject,
                batches::getObject,
                () -> Optional.ofNullable(deadLetters.getIfAvailable()),
                tenants::getObject,
                deferrals::getObject,
                () -> recoverers.stream().toList(),
                proof::getObject,
                environment.getProperty("idem.consumer.reply-headers", boolean.class, false)));
    }

    @Bean
    @Conditional(OnBootDefault.Rabbit.class)
    RabbitConnectionCheck idempotentRabbitConnectionCheck(ListableBeanFactory beans) {
        return new RabbitConnectionCheck(beans);
    }

    @Bean
    CallWaits idempotentRabbitCallWaits() {
        return CallWait::pauseFor;
    }

    @Bean
    HeldDeliveries idempotentHeldDeliveries() {
        return new HeldDeliveries();
    }

    @Bean
    AmqpMessageReply idempotentAmqpMessageReply() {
        return new AmqpMessageReply();
    }

    @Bean
    DeliveryLimits idempotentDeliveryLimits(
            ConsumerSettings settings, ObjectProvider<IdempotentListeners> listeners, RabbitConnections connections) {
        return new DeliveryLimits(
                () -> connections.declared(Declarable.class),
                WaitLimits.first(settings),
                () -> listeners.getObject().runtime().outages().longestHold(),
                settings.policy().lease());
    }

    @Bean
    @ConditionalOnMissingBean
    Deferrals idempotentDeferrals(IdemRabbitProperties properties, ConsumerSettings settings, DeliveryLimits limits) {
        try {
            return new Deferrals(
                    properties.deferralSettings().within(settings.policy().retention()),
                    properties.confirmTimeout(),
                    limits);
        } catch (IllegalArgumentException invalid) {
            throw new ListenerConfigurationException(
                    "The settings under idem.consumer.rabbit.deferral do not fit: " + invalid.getMessage(),
                    "Correct the setting",
                    invalid);
        }
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RabbitTemplateHook idempotentRabbitTemplateHook(
            ObjectProvider<RabbitConnections> connections, ObjectProvider<StartProof> proof) {
        return new RabbitTemplateHook(connections::getObject, proof::getObject);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RabbitAmqpTemplate.class)
    static class AmqpOne {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static SendsHook idempotentAmqpOneHook() {
            return new SendsHook(RabbitAmqpTemplate.class, new AmqpOneSends());
        }
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static UnkeyedPublications idempotentUnkeyedPublications() {
        return new UnkeyedPublications();
    }

    @Bean
    RabbitConnections idempotentRabbitConnections(ListableBeanFactory beans) {
        return new RabbitConnections(beans);
    }

    @Bean
    RabbitTenants idempotentRabbitTenants(IdemRabbitProperties properties, RabbitConnections connections) {
        return new RabbitTenants(properties.tenant(), connections);
    }

    /** Keeps the resolvers that an application's own configurers, which come first, have set. */
    @Bean
    RabbitListenerConfigurer idempotentRabbitListenerConfigurer() {
        return registrar -> registrar.setCustomMethodArgumentResolvers(Stream.concat(
                        registrar.getCustomMethodArgumentResolvers().stream(), Stream.of(new ContextArgumentResolver()))
                .toArray(HandlerMethodArgumentResolver[]::new));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("idem.consumer.rabbit.dead-letter.exchange")
    RabbitDeadLetterWriter idempotentDeadLetterPublisher(
            RabbitConnections connections, IdemRabbitProperties properties) {
        return new RabbitDeadLetterWriter(
                connections,
                Objects.requireNonNull(properties.deadLetter().exchange()),
                properties.deadLetter().routingKey(),
                properties.confirmTimeout());
    }

    /** The source of dead letters for operators. */
    @Bean
    @ConditionalOnMissingBean
    RabbitDeadLetterSource idempotentRabbitDeadLetterSource(
            RabbitConnections connections,
            RabbitTenants tenants,
            ObjectProvider<IdempotentListeners> listeners,
            IdemRabbitProperties properties) {
        return new RabbitDeadLetterSource(connections, tenants, listeners::getObject, properties.confirmTimeout());
    }

    @Bean
    @ConditionalOnMissingBean
    RabbitOutgoingTransport idempotentRabbitTransport(RabbitConnections connections, IdemRabbitProperties properties) {
        return new RabbitOutgoingTransport(connections, properties.confirmTimeout());
    }
}
