package io.idem.consumer.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ConfigurationException;
import io.idem.IdempotencyContext;
import io.idem.Inbox;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.ContractConfiguration;
import io.idem.consumer.contract.MapInbox;
import io.idem.consumer.internal.rabbit.send.RabbitOutgoingTransport;
import io.idem.internal.spring.ConfigurationFailureAnalyzer;
import io.idem.servers.spring.RabbitOfBoot;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.client.annotation.AmqpListener;
import org.springframework.amqp.client.config.EnableAmqp;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/** Listeners that could not keep the promise end the start, with words that say what to do. No broker is needed to know. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class StartUpTest {

    private static final String QUEUE = "queue";

    private final ApplicationContextRunner runner = settled(new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(configurations()))
            .withUserConfiguration(ContractConfiguration.class));

    /** The auto-configurations that the checks need; all others take half of the time of a start. */
    private static Class<?>[] configurations() {
        Stream<Class<?>> common = Stream.of("Idem", "IdemJson", "IdemResult")
                .map(name -> ClassUtils.resolveClassName("io.idem.autoconfigure." + name + "AutoConfiguration", null));
        return Stream.concat(
                        common,
                        Stream.of(
                                AopAutoConfiguration.class,
                                RabbitOfBoot.autoConfiguration(),
                                IdemConsumerAutoConfiguration.class,
                                IdemConsumerMetersAutoConfiguration.class,
                                IdemRabbitAutoConfiguration.class))
                .toArray(Class<?>[]::new);
    }

    private static ApplicationContextRunner settled(ApplicationContextRunner runner) {
        return runner.withPropertyValues(
                "spring.rabbitmq.listener.simple.auto-startup=false",
                "spring.rabbitmq.listener.direct.auto-startup=false");
    }

    /** With everything that an application on this class path would have. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {}

    private void assertRefused(Class<?> listener, String... words) {
        assertRefused(runner.withUserConfiguration(listener), words);
    }

    private static void assertRefused(ApplicationContextRunner runner, String... words) {
        runner.run(context -> {
            FailureAnalysis analysis = requireNonNull(new ConfigurationFailureAnalyzer().analyze(refusal(context)));
            assertThat(analysis.getAction()).isNotBlank();
            assertThat(analysis.getDescription() + " " + analysis.getAction()).contains(words);
        });
    }

    /** Such as the starter spring-boot-starter-amqp of Spring Boot 4.2 brings, without spring-rabbit. */
    @Test
    void anAmqpListenerEndsTheStartAndTheStarterIsNamed() {
        String[] words = {"@AmqpListener", "Use @RabbitListener", "spring-boot-starter-rabbitmq"};
        assertRefused(
                runner.withClassLoader(new FilteredClassLoader("org.springframework.amqp.rabbit"))
                        .withUserConfiguration(AnyBroker.class),
                words);
        assertRefused(AnyBroker.class, words);
        assertRefused(TwoProtocols.class, words);
    }

    @EnableAmqp
    static class AnyBroker {

        @AmqpListener(addresses = QUEUE)
        @IdempotentListener(scope = "any")
        void on(String body) {}
    }

    static class TwoProtocols {

        @AmqpListener(addresses = "one")
        @AmqpListener(addresses = "other")
        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "two")
        void on(String body) {}
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "strategy=broker-delay",
                "strategy=BROKER_DELAY",
                "scopes.payments=broker-delay",
                "scopes[payments.eu]=brokerDelay"
            })
    void theStrategyBrokerDelayEndsTheStart(String setting) {
        assertRefused(
                runner.withPropertyValues("idem.consumer.rabbit.deferral." + setting),
                "broker-delay was removed",
                "Set delay-queue");
    }

    private static ListenerConfigurationException refusal(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        return Stream.<@Nullable Throwable>iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause)
                .filter(ListenerConfigurationException.class::isInstance)
                .map(ListenerConfigurationException.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("refused for another reason", context.getStartupFailure()));
    }

    static class Good {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "good")
        void on(String body, IdempotencyContext context) {}
    }

    @Test
    void aListenerThatCanWorkStartsGuarded() {
        settled(new ApplicationContextRunner().withUserConfiguration(Application.class, Good.class))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(AopUtils.isAopProxy(context.getBean(Good.class))).isTrue();
                });
    }

    @Test
    void anAdviceOfTheContainerThatMayRecoverFailuresIsSaidAtTheStart(CapturedOutput output) {
        runner.withUserConfiguration(Good.class)
                .run(context -> assertThat(output).doesNotContain("recovers is acknowledged"));
        runner.withUserConfiguration(Good.class)
                .withPropertyValues("spring.rabbitmq.listener.simple.retry.enabled=true")
                .run(
                        context -> assertThat(output)
                                .contains(
                                        "StatelessRetryOperationsInterceptor recovers is acknowledged, and its record stays FAILED"));
    }

    static class UnguardedFunction {

        @Bean
        @IdempotentListener(scope = "payments")
        Consumer<String> pay() {
            return body -> {};
        }
    }

    @Test
    void aFunctionThatNothingGuardsIsRefused() {
        assertRefused(UnguardedFunction.class, "\"pay\"", "idem-cloud-stream");
    }

    @Test
    void aListenersMetersAreThereFromTheStart() {
        runner.withUserConfiguration(Good.class)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    assertThat(List.of("duplicates", "deferrals", "keys.invalid", "dead.letters", "outages"))
                            .allSatisfy(name -> assertThat(meters.get("idem.consumer." + name)
                                            .tags("scope", "good", "transport", "rabbit")
                                            .counter()
                                            .count())
                                    .isZero());
                    assertThat(meters.get("idem.consumer.keys.missing")
                                    .tags("scope", "good", "transport", "rabbit", "policy", "dead-letter")
                                    .counter()
                                    .count())
                            .isZero();
                    assertThat(meters.get("idem.consumer.paused").gauge().value())
                            .isZero();
                });
    }

    @Test
    void aListenerIsGuardedAlsoWhereBootMakesNoProxies() {
        runner.withUserConfiguration(Good.class)
                .withPropertyValues("spring.aop.auto=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aRetentionShorterThanTheHorizonIsRefused() {
        assertRefused(
                runner.withUserConfiguration(Good.class)
                        .withPropertyValues("idem.consumer.retention=1d", "idem.consumer.retry-horizon=7d"),
                "PT24H",
                "PT168H",
                "idem.consumer.retention");
    }

    @Test
    void aRetentionAsLongAsTheHorizonIsNotRefused() {
        runner.withUserConfiguration(Good.class)
                .withPropertyValues("idem.consumer.retry-horizon=1d")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void anEffectIsHeldForTheLongestHoldButNotLongerThanTwoMinutes() {
        holds("15m", Duration.ofMinutes(2));
        holds("90s", Duration.ofSeconds(90));
        holds("0s", ConsumerSettings.DEFAULT_IN_PLACE_WAIT);
    }

    private void holds(String longest, Duration hold) {
        runner.withPropertyValues("idem.consumer.outage.longest-hold=" + longest)
                .run(context -> assertThat(
                                context.getBean(ConsumerSettings.class).hold())
                        .isEqualTo(hold));
    }

    static class Boxed {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "boxed", inbox = true)
        void on(String body) {}
    }

    @Test
    void anInboxThatForgetsBeforeItsRecordsOrTheHorizonIsRefused() {
        ApplicationContextRunner rowsForTwoDays = runner.withUserConfiguration(Boxed.class)
                .withBean(Inbox.class, () -> MapInbox.keepingFor(Duration.ofDays(2)));

        rowsForTwoDays.run(context -> assertThat(context).hasNotFailed());
        assertRefused(
                rowsForTwoDays.withPropertyValues("idem.consumer.retention=3d"),
                "PT48H",
                "PT72H",
                "retention");
        assertRefused(
                rowsForTwoDays.withPropertyValues("idem.consumer.retry-horizon=7d"),
                "PT24H",
                "PT168H",
                "retention");
    }

    @Test
    void rowsAndRecordsThatOutliveTheHorizonAreNotToldOf(CapturedOutput output) {
        runner.withUserConfiguration(Boxed.class)
                .withBean(Inbox.class, () -> MapInbox.keepingFor(Duration.ofDays(7)))
                .withPropertyValues("idem.consumer.retry-horizon=7d", "idem.consumer.retention=7d")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).doesNotContain("idem.consumer.retry-horizon");
                });
    }

    interface Contract {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "interface")
        void on(String body);
    }

    static class ByInterface implements Contract {

        @Override
        public void on(String body) {}
    }

    @Test
    void anAnnotatedInterfaceBehindAJdkProxyIsGuarded() {
        runner.withUserConfiguration(ByInterface.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(AopUtils.isAopProxy(context.getBean(Contract.class)))
                            .isTrue();
                });
    }

    static final class FinalClass {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "final-class")
        void on(String body) {}
    }

    @Test
    void aFinalClassIsRefused() {
        assertRefused(FinalClass.class, "FinalClass.on", "final");
    }

    @Test
    void aRefusedStartEndsWithAnAnalysisThatNamesListenerAndRemedy(CapturedOutput output) {
        SpringApplication application = new SpringApplication(Application.class, FinalClass.class);
        application.setWebApplicationType(WebApplicationType.NONE);

        assertThatThrownBy(application::run).hasRootCauseInstanceOf(ListenerConfigurationException.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("@IdempotentListener FinalClass.on is in a final class, which no proxy can guard.")
                .contains("Remove final from " + FinalClass.class.getName() + ".");
    }

    static class FinalMethod {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "final-method")
        final void on(String body) {}
    }

    @Test
    void aFinalMethodIsRefused() {
        assertRefused(FinalMethod.class, "FinalMethod.on", "final");
    }

    static class PrivateMethod {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "private-method")
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"})
        private void on(String body) {}
    }

    @Test
    void aPrivateMethodIsRefused() {
        assertRefused(PrivateMethod.class, "PrivateMethod.on", "private");
    }

    static class Primitive {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "primitive")
        int on(String body) {
            return body.length();
        }
    }

    @Test
    void aPrimitiveResultIsRefused() {
        assertRefused(Primitive.class, "Primitive.on", "wrapper");
    }

    static class Stage {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "stage")
        CompletionStage<String> on(String body) {
            return CompletableFuture.completedStage(body);
        }
    }

    @Test
    void aListenerForWhoseEndNoContainerWaitsIsRefused() {
        assertRefused(Stage.class, "Stage.on", "CompletionStage", "Return a CompletableFuture");
    }

    static class AsyncInbox {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "async-inbox", inbox = true)
        CompletableFuture<String> on(String body) {
            return CompletableFuture.completedFuture(body);
        }
    }

    @Test
    void anInboxForWorkThatEndsOnAnotherThreadIsRefused() {
        assertRefused(AsyncInbox.class, "AsyncInbox.on", "belongs to one thread", "inbox = true");
    }

    @RabbitListener(queues = QUEUE)
    static class Mixed {

        @RabbitHandler
        @IdempotentListener(scope = "mixed-late")
        CompletableFuture<String> late(String body) {
            return CompletableFuture.completedFuture(body);
        }

        @RabbitHandler
        @IdempotentListener(scope = "mixed-early")
        void early(Integer body) {}
    }

    @Test
    void handlerMethodsOfOneClassOfWhichOnlySomeEndLateAreRefused() {
        assertRefused(Mixed.class, "Mixed.early", "never be acknowledged");
    }

    static class AsyncOnAnotherThread {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "another-thread")
        @Async
        void on(String body) {}
    }

    @Test
    void aListenerThatWorksOnAnotherThreadIsRefused() {
        assertRefused(AsyncOnAnotherThread.class, "AsyncOnAnotherThread.on", "@Async");
    }

    static class NoListener {

        @IdempotentListener(scope = "none")
        void on(String body) {}
    }

    @Test
    void aMethodThatIsNoListenerIsRefused() {
        assertRefused(NoListener.class, "NoListener.on", "@RabbitListener");
    }

    static class Twice {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "twice")
        void one(String body) {}

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "twice")
        void two(String body) {}
    }

    @Test
    void aScopeUsedTwiceIsRefused() {
        runner.withUserConfiguration(Twice.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("Twice.one")
                        .hasMessageContaining("Twice.two"));
    }

    static class WithInbox {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "inbox", inbox = true)
        void on(String body) {}
    }

    @Test
    void anInboxThatIsNotThereIsRefused() {
        assertRefused(WithInbox.class, "WithInbox.on", "Inbox");
    }

    static class Configured {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(
                scope = "${test.scope:fine}",
                lease = "${test.lease:}",
                maxAttempts = "${test.attempts:}",
                missingKey = "${test.missing:}",
                key = "${test.key:}")
        void on(String body) {}
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "test.scope=Not A Scope",
                "test.lease=soon",
                "test.lease=1ms",
                "test.attempts=many",
                "test.attempts=-1",
                "test.missing=shrug",
                "test.key=#{{"
            })
    void anAttributeThatMakesNoSenseIsRefusedByName(String setting) {
        assertRefused(runner.withUserConfiguration(Configured.class).withPropertyValues(setting), "Configured.on");
    }

    @Test
    void attributesTakeTheirValuesFromTheEnvironment() {
        runner.withUserConfiguration(Configured.class)
                .withPropertyValues(
                        "test.scope=other",
                        "test.lease=5s",
                        "test.attempts=3",
                        "test.missing=acknowledge",
                        "test.key=#body")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "idem.consumer.in-place-wait=1ms",
                "idem.consumer.outage.longest-hold=-1s",
                "idem.consumer.retention=1s"
            })
    void aSettingThatCannotWorkIsRefused(String setting) {
        assertRefused(runner.withUserConfiguration(Good.class).withPropertyValues(setting), "idem");
    }

    @Test
    void acknowledgingBeforeTheWorkIsRefused() {
        assertRefused(
                runner.withUserConfiguration(Good.class)
                        .withPropertyValues("spring.rabbitmq.listener.simple.acknowledge-mode=none"),
                "Good.on",
                "NONE",
                "AUTO or MANUAL");
    }

    static class Batch {

        @RabbitListener(queues = QUEUE, batch = "true")
        @IdempotentListener(scope = "batch")
        void on(List<String> bodies) {}
    }

    @Test
    void aBatchListenerWhoseContainerMakesNoBatchesIsRefused() {
        assertRefused(Batch.class, "Batch.on", "makes no batches", "consumer-batch-enabled");
    }

    @Test
    void aBatchListenerIsNamedAtTheStartAsOneWithoutInbox(CapturedOutput output) {
        ApplicationContextRunner batching = runner.withUserConfiguration(Batch.class)
                .withPropertyValues("spring.rabbitmq.listener.simple.consumer-batch-enabled=true");

        batching.run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .containsOnlyOnce("Batches have no inbox: a crash between the commit of Batch.on and COMPLETED");
    }

    @Test
    void aListenerOfSingleMessagesIsNotNamedAsOneOfBatches(CapturedOutput output) {
        runner.withUserConfiguration(Good.class)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).doesNotContain("Batches have no inbox");
    }

    @ParameterizedTest
    @CsvSource({
        "spring.rabbitmq.listener.simple.retry.stateless=false, stateful retry",
        "test.transacted=true, transacted channel",
        "test.hidden=true, exposeListenerChannel"
    })
    void aBatchListenerWhoseMessagesCannotBeSettledOneByOneIsRefused(String setting, String problem) {
        assertRefused(
                runner.withUserConfiguration(Batch.class, Batching.class)
                        .withPropertyValues(
                                setting,
                                "spring.rabbitmq.listener.simple.retry.enabled=true",
                                "spring.rabbitmq.listener.simple.consumer-batch-enabled=true"),
                "Batch.on",
                problem);
    }

    static class Batching {

        @Bean
        static ContainerCustomizer<SimpleMessageListenerContainer> customizer(Environment environment) {
            return container -> {
                container.setChannelTransacted(environment.getProperty("test.transacted", Boolean.class, false));
                container.setExposeListenerChannel(!environment.getProperty("test.hidden", Boolean.class, false));
            };
        }
    }

    static class Early {

        @Bean
        static BeanFactoryPostProcessor tooEarly(Good good) {
            return beanFactory -> assertThat(good).isNotNull();
        }
    }

    @Test
    void aListenerThatWasMadeTooEarlyToBeGuardedIsRefused() {
        assertRefused(runner.withUserConfiguration(Good.class, Early.class), "Good.on", "not guarded");
    }

    static class FinalFactory {

        static final class Own extends SimpleRabbitListenerContainerFactory {}

        @Bean
        static RabbitListenerContainerFactory<?> own(ConnectionFactory connectionFactory) {
            Own factory = new Own();
            factory.setConnectionFactory(connectionFactory);
            factory.setAutoStartup(false);
            return factory;
        }

        @RabbitListener(id = "final-factory", queues = QUEUE, containerFactory = "own", ackMode = "NONE")
        @IdempotentListener(scope = "final-factory")
        void on(String body) {}
    }

    /** Kotlin's classes are final unless they say otherwise. */
    @Test
    void aFactoryOfAFinalClassIsHookedIntoLikeAnyOther() {
        assertRefused(FinalFactory.class, "FinalFactory.on", "acknowledge mode NONE");
    }

    @Scope(proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class Scoped {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "scoped")
        void on(String body) {}
    }

    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class ScopedPrototype {

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "scoped-prototype")
        void on(String body) {}
    }

    static class ByFactoryBean {

        @Bean
        static FactoryBean<Good> made() {
            return new FactoryBean<>() {
                @Override
                public Good getObject() {
                    return new Good();
                }

                @Override
                public Class<?> getObjectType() {
                    return Good.class;
                }
            };
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Scoped.class, ScopedPrototype.class, ByFactoryBean.class})
    void aListenerBehindAScopeOrAFactoryStartsGuarded(Class<?> configuration) {
        runner.withUserConfiguration(configuration)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class TwoBrokers {

        @Bean
        static CachingConnectionFactory one() {
            return new CachingConnectionFactory();
        }

        @Bean
        static CachingConnectionFactory two() {
            return new CachingConnectionFactory();
        }

        /** Boot's own would want to know which of them. */
        @Bean
        static SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(
                @Qualifier("one") CachingConnectionFactory one) {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            factory.setConnectionFactory(one);
            return factory;
        }
    }

    @Test
    void ofSeveralBrokersNoneIsChosenForATemplate() {
        runner.withUserConfiguration(TwoBrokers.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(RabbitTemplate.class)
                        .hasSingleBean(RabbitOutgoingTransport.class));
    }
}
