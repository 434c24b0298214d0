package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyEventListener;
import io.idem.Inbox;
import io.idem.MonotonicClock;
import io.idem.Outbox;
import io.idem.ResultCodec;
import io.idem.ScopePolicies;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.RawResultCodec;
import io.idem.internal.operations.StoreCheck;
import io.idem.internal.result.Offload;
import io.idem.internal.spring.ConditionalOnSwitch;
import io.idem.operations.RecordOperator;
import io.idem.operations.ScopeRegistry;
import io.idem.result.ResultStorage;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.OutgoingTransport;
import io.idem.spi.ResultPipeline;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Auto-configuration of the engine. The store comes from the application or from another auto-configuration. */
@AutoConfiguration
@EnableConfigurationProperties({IdemProperties.class, IdemObservabilityProperties.class})
@Import({
    ClosingOrder.class,
    InboxPolicyCheck.class,
    PolicyBeansCheck.class,
    ScopeAnnouncer.class,
    ScopeSettingsCheck.class
})
class IdemAutoConfiguration {

    static final String EXECUTION_POLICY = "idemExecutionPolicy";
    static final String SCOPE_POLICIES = "idemScopePolicies";

    IdemAutoConfiguration(Environment environment) {
        RetiredSettings.refuse(environment);
    }

    @Bean(EXECUTION_POLICY)
    @ConditionalOnMissingBean
    ExecutionPolicy idemExecutionPolicy(IdemProperties properties, ListableBeanFactory beans) {
        return properties.policy(new Reconcilers(beans));
    }

    @Bean(SCOPE_POLICIES)
    @ConditionalOnMissingBean
    ScopePolicies idemScopePolicies(IdemProperties properties, ExecutionPolicy every, ListableBeanFactory beans) {
        return properties.policies(every, new Reconcilers(beans));
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotentExecutor idemExecutor(
            IdempotencyStore store,
            ObjectProvider<OutgoingTransport> transports,
            ObjectProvider<IdempotencyEventListener> listeners,
            ObjectProvider<ResultPipeline> results,
            ObjectProvider<ResultCodec> codec,
            ObjectProvider<StoreInstrument> instrument,
            ObjectProvider<ExecutionObservations> observations,
            IdemObservabilityProperties observability,
            ObjectProvider<Inbox> inbox,
            Environment environment) {
        IdempotencyStore instrumented =
                instrument.getIfAvailable(() -> same -> same).around(store);
        IdempotentExecutor.Builder executor = IdempotentExecutor.on(instrumented);
        if (StoreChoice.isInbox(environment)) {
            executor.inbox(InboxPolicyCheck.required(inbox.getIfAvailable(), store));
        }
        return executor.transports(() -> transports.orderedStream().toList())
                .listeners(listeners.orderedStream().toList())
                .results(results.getIfAvailable(() -> ResultPipeline.UNCHANGED))
                .codec(codec.getIfAvailable(RawResultCodec::new))
                .observations(
                        observations.getIfAvailable(ExecutionObservations::none).registry())
                .logFields(observability.logFields())
                .build();
    }

    @Bean
    @ConditionalOnMissingBean
    RecordOperator idemRecordOperator(
            IdempotencyStore store,
            ScopePolicies policies,
            ScopeRegistry scopes,
            ObjectProvider<OperatorAudit> audit,
            ObjectProvider<Inbox> inbox,
            ObjectProvider<ResultStorage> storage,
            ConfigurableListableBeanFactory beans) {
        ResultStorage offloaded = storage.getIfUnique();
        return new RecordOperator(
                store,
                scope -> scopes.retention(scope, policies.of(scope)),
                audit.getIfAvailable(() -> act -> {}),
                () -> Optional.ofNullable(usesInbox(beans) ? inbox.getIfAvailable() : null),
                offloaded == null ? result -> {} : Offload.removing(offloaded));
    }

    /** Returns whether an inbox or an outbox was created. An inbox that is not used may have no table, so none is created here. */
    private static boolean usesInbox(ConfigurableListableBeanFactory beans) {
        return Stream.of(Inbox.class, Outbox.class)
                .flatMap(type -> Arrays.stream(beans.getBeanNamesForType(type, false, false)))
                .anyMatch(beans::containsSingleton);
    }

    @Bean
    @ConditionalOnSwitch("idem.observability.start-up-report")
    StartUpReport idemStartUpReport(
            IdempotencyStore store,
            ScopeRegistry registry,
            ScopePolicies policies,
            ListableBeanFactory beans,
            Environment environment,
            ObjectProvider<RedisAddress> redis,
            ObjectProvider<Inbox> inbox,
            ApplicationContext application) {
        String records = beans.containsBean(StoreChoice.BEAN)
                ? StoreChoice.words(
                        environment.getProperty(StoreChoice.PROPERTY, StoreChoice.REDIS), redis.getIfAvailable())
                : "the application's own " + ClassUtils.getUserClass(store).getSimpleName();
        return new StartUpReport(
                records,
                registry,
                policies,
                store instanceof Inbox.Failures ? inbox.getObject().retention() : null,
                application);
    }

    @Bean
    @ConditionalOnMissingBean
    StoreCheck idemStoreCheck(IdempotencyStore store) {
        return new StoreCheck(store, MonotonicClock.SYSTEM);
    }

    /** Starts asynchronous work on the application's task executor, or on the common pool if there is none. */
    @Bean
    @ConditionalOnMissingBean
    AsyncIdempotentExecutor idemAsyncExecutor(
            IdempotentExecutor executor, @Qualifier("applicationTaskExecutor") ObjectProvider<Executor> workers) {
        return executor.async(workers.getIfAvailable(ForkJoinPool::commonPool));
    }

    /** Obtains the store lazily, because participants register while beans are still being post-processed. */
    @Bean
    @ConditionalOnMissingBean
    ScopeRegistry idemScopeRegistry(ObjectProvider<IdempotencyStore> store) {
        return new ScopeRegistry(store::getObject);
    }
}
