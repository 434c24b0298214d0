package io.idem.consumer.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.RecordId;
import io.idem.ResultCodec;
import io.idem.ScopePolicies;
import io.idem.consumer.ConsumerEventListener;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.OutageSettings;
import io.idem.consumer.internal.call.BatchListeners;
import io.idem.consumer.internal.call.DirectCalls;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.call.MessageReply;
import io.idem.consumer.internal.call.ReplyCodec;
import io.idem.consumer.internal.call.ReplyForm;
import io.idem.consumer.internal.call.UnhookedDeliveries;
import io.idem.consumer.internal.definition.BeanAttributeValues;
import io.idem.consumer.internal.definition.RetentionHorizon;
import io.idem.consumer.internal.delivery.DeliveriesInProgress;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.consumer.internal.guard.CommitGuard;
import io.idem.consumer.internal.guard.FunctionListeners;
import io.idem.consumer.internal.guard.IdempotentListenerAdvisor;
import io.idem.consumer.internal.guard.ListenerRegistrar;
import io.idem.consumer.internal.guard.ListenerShapeCheck;
import io.idem.consumer.internal.guard.OtherHandlerAdvisor;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.consumer.internal.outage.StoreOutages;
import io.idem.consumer.internal.rabbit.send.AmqpClientSends;
import io.idem.consumer.internal.rabbit.send.SendsHook;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.method.AutoProxies;
import io.idem.internal.spring.ConditionalOnSwitch;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Beans that all transports share: the decision about idempotent listener methods, and its start-up checks. */
@AutoConfiguration(
        afterName = {
            "io.idem.autoconfigure.IdemAutoConfiguration",
            "org.springframework.boot.autoconfigure.aop.AopAutoConfiguration"
        })
@EnableConfigurationProperties({IdemConsumerProperties.class, IdemOutageProperties.class})
@Import(AutoProxies.class)
class IdemConsumerAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentListenerAdvisor idempotentListenerAdvisor(
            ObjectProvider<IdempotentListeners> listeners, ConfigurableListableBeanFactory beans) {
        return new IdempotentListenerAdvisor(listeners::getObject, beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OtherHandlerAdvisor idempotentOtherHandlerAdvisor() {
        return new OtherHandlerAdvisor();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CommitGuard idempotentCommitGuard() {
        return new CommitGuard();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = AmqpClientSends.CLIENT)
    static class AmqpClients {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static SendsHook idempotentAmqpClientHook() {
            return new SendsHook(ClassUtils.resolveClassName(AmqpClientSends.CLIENT, null), new AmqpClientSends());
        }
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ListenerShapeCheck idempotentListenerShapeCheck() {
        return new ListenerShapeCheck();
    }

    @Bean
    @ConditionalOnMissingBean
    OutageSettings idempotentOutageSettings(IdemOutageProperties properties) {
        return properties.settings();
    }

    @Bean
    @ConditionalOnMissingBean
    ConsumerSettings idempotentConsumerSettings(
            IdemConsumerProperties properties, ExecutionPolicy policy, OutageSettings outages) {
        try {
            return properties.settings(policy, outages.longestHold());
        } catch (IllegalArgumentException invalid) {
            throw new ListenerConfigurationException(
                    "The settings under idem.consumer do not fit each other or those under idem: "
                            + invalid.getMessage(),
                    "Correct the setting",
                    invalid);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotentListeners idempotentListeners(
            IdempotentExecutor executor,
            AsyncIdempotentExecutor async,
            ResultCodec codec,
            ObjectProvider<ReplyForm> replies,
            ConsumerSettings settings,
            ScopePolicies scopes,
            ObjectProvider<ConsumerEventListener> listeners,
            Environment environment,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Inbox> inbox,
            StoreOutages outages,
            ListenerStops stops,
            ObjectProvider<UnhookedDeliveries> unhooked,
            DeliveriesInProgress inProgress) {
        return new IdempotentListeners(
                executor,
                async,
                new ReplyCodec(codec, replies.stream().toList()),
                settings,
                scopes,
                listeners.orderedStream().toList(),
                new BeanAttributeValues(environment, beans),
                inbox::getIfAvailable,
                outages,
                new DirectCalls(
                        settings.directCalls(), stops, () -> unhooked.stream().toList()),
                inProgress);
    }

    @Bean
    DeliveriesInProgress idempotentDeliveriesInProgress() {
        return new DeliveriesInProgress();
    }

    @Bean
    MessageReply idempotentMessageReply() {
        return new MessageReply();
    }

    /**
     * An application with a stopped listener is not ready, but alive: a restart with the same configuration would not
     * help.
     */
    @Bean
    ListenerStops idempotentListenerStops(ApplicationContext application) {
        return new ListenerStops(() -> AvailabilityChangeEvent.publish(application, ReadinessState.REFUSING_TRAFFIC));
    }

    /** Probes the store by reading a record that is never written, and by a write. */
    @Bean
    StoreOutages idempotentStoreOutages(
            IdempotencyStore store, OutageSettings settings, ObjectProvider<ConsumerEventListener> listeners) {
        IdempotencyKey nobodys = IdempotencyKey.of("idem-store-outage");
        return new StoreOutages(
                settings,
                scope -> store.inspect(new RecordId(nobodys, scope)),
                store::check,
                new ConsumerEvents(listeners.orderedStream().toList()));
    }

    @Bean
    BatchListeners idempotentBatchListeners(IdempotentListeners listeners) {
        return new BatchListeners(listeners);
    }

    @Bean
    @ConditionalOnSwitch("idem.observability.start-up-report")
    UninboxedBatches idempotentBatchReport(BatchListeners batches) {
        return new UninboxedBatches(batches);
    }

    @Bean
    ListenerRegistrar idempotentListenerRegistrar(
            ConfigurableListableBeanFactory beans,
            IdempotentListeners listeners,
            ScopeRegistry scopes,
            IdemConsumerProperties properties,
            ListenerShapeCheck beanChecks,
            Environment environment,
            ObjectProvider<FunctionListeners> functions,
            StartProof proof) {
        return new ListenerRegistrar(
                beans,
                listeners,
                scopes,
                new RetentionHorizon(properties.retryHorizon()),
                beanChecks,
                new DeadLetterDestinations(environment)::of,
                () -> Optional.ofNullable(functions.getIfAvailable()),
                proof);
    }

    @Bean
    StartProof idempotentStartProof(
            Environment environment, ObjectProvider<IdempotentListeners> listeners, ScopeRegistry scopes) {
        return new StartProof(environment.getProperty("idem.proof", boolean.class, true), listeners::getObject, scopes);
    }
}
