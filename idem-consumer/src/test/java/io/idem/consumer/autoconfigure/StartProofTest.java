package io.idem.consumer.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.spy;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.ContractConfiguration;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.internal.spring.BeforeContainers;
import io.idem.operations.ScopeRegistry;
import io.idem.servers.spring.RabbitOfBoot;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.rabbit.config.RabbitListenerConfigUtils;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.amqp.rabbitmq.client.AmqpConnectionFactory;
import org.springframework.amqp.rabbitmq.client.config.RabbitAmqpListenerContainerFactory;
import org.springframework.amqp.support.converter.SimpleMessageConverter;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerConfigUtils;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.config.ShareKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.DefaultShareConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.kafka.support.converter.RecordMessageConverter;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.util.ClassUtils;
import org.springframework.util.ErrorHandler;

/**
 * Each broken link between a container or a template and idem is refused at start and named. No broker is needed to know,
 * and nothing of the application runs for it.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class StartProofTest {

    private final ApplicationContextRunner runner = runner(IdemRabbitAutoConfiguration.class);

    private static ApplicationContextRunner runner(Class<?>... others) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(configurations()))
                .withConfiguration(AutoConfigurations.of(others))
                .withUserConfiguration(ContractConfiguration.class, Ran.class)
                .withPropertyValues(
                        "spring.rabbitmq.listener.simple.auto-startup=false",
                        "spring.kafka.listener.auto-startup=false");
    }

    private static Class<?>[] configurations() {
        Stream<Class<?>> common = Stream.of("Idem", "IdemJson", "IdemResult")
                .map(name -> ClassUtils.resolveClassName("io.idem.autoconfigure." + name + "AutoConfiguration", null));
        return Stream.concat(
                        common,
                        Stream.of(
                                AopAutoConfiguration.class,
                                RabbitOfBoot.autoConfiguration(),
                                KafkaAutoConfiguration.class,
                                IdemConsumerAutoConfiguration.class,
                                IdemKafkaTemplateAutoConfiguration.class,
                                IdemKafkaAutoConfiguration.class))
                .toArray(Class<?>[]::new);
    }

    /** Notes the parts of the application that ran. */
    static class Ran {

        final List<String> parts = new CopyOnWriteArrayList<>();

        MethodInterceptor advice(String name) {
            return invocation -> {
                parts.add(name);
                return invocation.proceed();
            };
        }
    }

    /** A start that only the proof refuses: without it the application starts. */
    private void assertRefused(Class<?> application, String... words) {
        runner.withUserConfiguration(application).run(context -> {
            assertThat(refusal(context).getMessage()).contains(words).contains("idem.proof");
        });
        runner.withUserConfiguration(application)
                .withPropertyValues("idem.proof=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static ListenerConfigurationException refusal(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        return Stream.<@Nullable Throwable>iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause)
                .filter(ListenerConfigurationException.class::isInstance)
                .map(ListenerConfigurationException.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("refused for another reason", context.getStartupFailure()));
    }

    private static String report(AssertableApplicationContext context, String scope) {
        assertThat(context).hasNotFailed();
        return requireNonNull(
                context.getBean(ScopeRegistry.class).descriptions().get(scope));
    }

    @Test
    void aTemplateThatBootMakesUnderAnUnknownNameIsRefused() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(KafkaAutoConfiguration.class))
                .withConfiguration(AutoConfigurations.of(Arrays.stream(configurations())
                        .filter(type -> type != KafkaAutoConfiguration.class)
                        .toArray(Class<?>[]::new)))
                .withUserConfiguration(ContractConfiguration.class)
                .withInitializer(context -> {
                    RootBeanDefinition template = new RootBeanDefinition(
                            KafkaTemplate.class,
                            () -> new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(Map.of())));
                    template.setResourceDescription(
                            "class path resource [org/springframework/boot/elsewhere/KafkaAutoConfiguration.class]");
                    ((BeanDefinitionRegistry) context.getBeanFactory()).registerBeanDefinition("own", template);
                })
                .run(context -> assertThat(refusal(context).getMessage())
                        .contains("makes the template \"own\" elsewhere than in " + OnBootDefault.KAFKA));
    }

    static class Payments {

        @Autowired
        @Nullable Ran ran;

        @RabbitListener(queues = "payments", containerFactory = "${test.factory:rabbitListenerContainerFactory}")
        @IdempotentListener(scope = "payments")
        void on(String body) {
            requireNonNull(ran).parts.add("listener");
        }
    }

    static class Orders {

        @KafkaListener(
                id = "orders",
                topics = "orders",
                containerFactory = "${test.factory:kafkaListenerContainerFactory}")
        @IdempotentListener(scope = "orders")
        void on(String body) {}
    }

    private static SimpleRabbitListenerContainerFactory factory(
            ConnectionFactory connections, SimpleMessageListenerContainer container) {
        SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory() {
            @Override
            protected SimpleMessageListenerContainer createContainerInstance() {
                return container;
            }
        };
        factory.setConnectionFactory(connections);
        factory.setAutoStartup(false);
        return factory;
    }

    @Import(Payments.class)
    static class DroppedChain {

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(ConnectionFactory connections) {
            return factory(connections, new SimpleMessageListenerContainer() {
                @Override
                public void setAdviceChain(Advice... chain) {}
            });
        }
    }

    @Test
    void aContainerThatDropsItsAdvicesIsRefused() {
        assertRefused(DroppedChain.class, "Payments.on", "idem is not called first");
    }

    @Import(Payments.class)
    static class OuterAdvice {

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(ConnectionFactory connections, Ran ran) {
            return factory(connections, new SimpleMessageListenerContainer() {
                @Override
                public void setAdviceChain(Advice... chain) {
                    super.setAdviceChain(Stream.concat(Stream.of(new Timed(ran)), Stream.of(chain))
                            .toArray(Advice[]::new));
                }
            });
        }

        @Bean
        DisposableBean nothingRan(Ran ran) {
            return () -> assertThat(ran.parts).isEmpty();
        }
    }

    record Timed(Ran ran) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            ran.parts.add("timed");
            return invocation.proceed();
        }
    }

    @Test
    void anAdviceOfTheApplicationOutsideOfTheHookIsRefusedByName() {
        assertRefused(OuterAdvice.class, "Payments.on", "StartProofTest$Timed");
    }

    @Import(Payments.class)
    static class OwnRabbitRegistry {

        @Bean(RabbitListenerConfigUtils.RABBIT_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME)
        RabbitListenerEndpointRegistry registry(ObjectProvider<SimpleRabbitListenerContainerFactory> factory) {
            return new RabbitListenerEndpointRegistry() {
                @Override
                protected org.springframework.amqp.core.MessageListenerContainer createListenerContainer(
                        RabbitListenerEndpoint endpoint, RabbitListenerContainerFactory<?> unused) {
                    return super.createListenerContainer(endpoint, factory.getObject());
                }
            };
        }
    }

    @Test
    void aRegistryThatMakesContainersByItselfIsRefused() {
        assertRefused(OwnRabbitRegistry.class, "Payments.on", "by no container that idem has seen");
    }

    @Import(Payments.class)
    static class RegistryThatIsNoBean {

        @Bean
        RabbitListenerConfigurer configurer() {
            return registrar -> registrar.setEndpointRegistry(new RabbitListenerEndpointRegistry());
        }
    }

    @Test
    void aRegistryThatIsNoBeanIsRefused() {
        assertRefused(RegistryThatIsNoBean.class, "Payments.on", "by no container that idem has seen");
    }

    @Test
    void aListenerIsRefusedWhereAnAutoConfigurationOfIdemBacksOff() {
        runner().withUserConfiguration(Payments.class)
                .run(context -> assertThat(refusal(context))
                        .hasMessageContainingAll("Payments.on", "by no container that idem has seen"));
    }

    @Import(Payments.class)
    static class OtherListener {

        @Bean
        BeforeContainers later(RabbitListenerEndpointRegistry registry, Payments payments) {
            return new BeforeContainers() {
                @Override
                protected void prepare() {
                    registry.getListenerContainers()
                            .forEach(container -> ((SimpleMessageListenerContainer) container)
                                    .setMessageListener(new MessageListenerAdapter(
                                            requireNonNull(AopProxyUtils.getSingletonTarget(payments)), "on")));
                }
            };
        }
    }

    @Test
    void anAdapterThatHoldsAnotherObjectThanTheGuardedBeanIsRefused() {
        runner.withUserConfiguration(OtherListener.class)
                .run(context -> assertThat(refusal(context)).hasMessageContainingAll("Payments.on", "is not guarded"));
    }

    static class LateRetries {

        @Bean
        BeforeContainers later(RabbitTemplate template) {
            return new BeforeContainers() {
                @Override
                protected void prepare() {
                    template.setRetryTemplate(new RetryTemplate());
                }
            };
        }
    }

    @Test
    void aTemplateWhoseRetriesWereSetAfterIdemIsRefused() {
        assertRefused(LateRetries.class, "Template \"rabbitTemplate\"", RetryTemplate.class.getName());
    }

    @Import(Orders.class)
    static class WrappedHook {

        @Bean
        KafkaListenerContainerFactory<?> kafkaListenerContainerFactory(
                ConsumerFactory<Object, Object> consumers, Ran ran) {
            return new ConcurrentKafkaListenerContainerFactory<>() {
                {
                    setConsumerFactory(consumers);
                    setAutoStartup(false);
                }

                @Override
                protected ConcurrentMessageListenerContainer<Object, Object> createContainerInstance(
                        KafkaListenerEndpoint endpoint) {
                    return new ConcurrentMessageListenerContainer<>(consumers, new ContainerProperties("orders")) {
                        @Override
                        public void setupMessageListener(Object listener) {
                            super.setupMessageListener(new Wrapper(ran));
                        }
                    };
                }
            };
        }
    }

    record Wrapper(Ran ran) implements MessageListener<Object, Object> {

        @Override
        public void onMessage(ConsumerRecord<Object, Object> record) {
            ran.parts.add("wrapper");
        }
    }

    @Test
    void aListenerOfTheApplicationAroundTheHookIsRefusedByName() {
        assertRefused(WrappedHook.class, "Orders.on", "StartProofTest$Wrapper");
    }

    @Import(Orders.class)
    static class OwnKafkaRegistry {

        @Bean(KafkaListenerConfigUtils.KAFKA_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME)
        KafkaListenerEndpointRegistry registry(ObjectProvider<ConcurrentKafkaListenerContainerFactory<?, ?>> factory) {
            return new KafkaListenerEndpointRegistry() {
                @Override
                protected org.springframework.kafka.listener.MessageListenerContainer createListenerContainer(
                        KafkaListenerEndpoint endpoint, KafkaListenerContainerFactory<?> unused) {
                    return super.createListenerContainer(endpoint, factory.getObject());
                }
            };
        }
    }

    @Test
    void aKafkaRegistryThatMakesContainersByItselfIsRefused() {
        assertRefused(OwnKafkaRegistry.class, "Orders.on", "by no container that idem has seen");
    }

    @Import(Orders.class)
    static class LateAdvice {

        @Bean
        SmartInitializingSingleton later(KafkaListenerEndpointRegistry registry, Ran ran) {
            return () -> registry.getListenerContainers()
                    .forEach(container -> container.getContainerProperties().setAdviceChain(new Timed(ran)));
        }
    }

    @Test
    void anAdviceThatIsSetBeforeTheStartStandsInsideOfTheHook() {
        runner.withUserConfiguration(LateAdvice.class)
                .run(context -> assertThat(report(context, "orders")).doesNotContain("not proved"));
    }

    record Passing(org.springframework.amqp.core.MessageListener own)
            implements org.springframework.amqp.core.MessageListener {

        @Override
        public void onMessage(Message message) {
            own.onMessage(message);
        }
    }

    @Import({Payments.class, Orders.class})
    static class PassingListeners {

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(ConnectionFactory connections) {
            SimpleRabbitListenerContainerFactory factory = factory(connections, new SimpleMessageListenerContainer());
            factory.setContainerCustomizer(container ->
                    container.setMessageListener(new Passing(requireNonNull(container.getMessageListener()))));
            return factory;
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<?, ?> kafkaListenerContainerFactory(
                ConsumerFactory<Object, Object> consumers, Ran ran) {
            ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(consumers);
            factory.setAutoStartup(false);
            factory.setContainerCustomizer(container -> container.setupMessageListener(new Wrapper(ran)));
            return factory;
        }
    }

    @Test
    void aListenerOfTheApplicationInsideOfTheHookIsReported() {
        runner.withUserConfiguration(PassingListeners.class).run(context -> {
            assertThat(report(context, "payments"))
                    .contains("not proved at start: its listener stands behind " + Passing.class.getName());
            assertThat(report(context, "orders"))
                    .contains("not proved at start: its listener stands behind " + Wrapper.class.getName());
        });
    }

    @Test
    void whatATestPutsInThePlaceOfBeansRefusesNothing() {
        runner.withUserConfiguration(RegistryThatIsNoBean.class)
                .withBean(
                        "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor",
                        Object.class)
                .withInitializer(context -> {
                    ((BeanDefinitionRegistry) context.getBeanFactory())
                            .registerBeanDefinition("mocked", new RootBeanDefinition(Orders.class));
                    context.getBeanFactory().registerSingleton("mocked", mock(Orders.class));
                })
                .run(context -> {
                    assertThat(report(context, "payments")).contains("no container delivers to it yet");
                    assertThat(report(context, "orders")).contains("no container delivers to it yet");
                });
    }

    static class Spies {

        @Bean
        RabbitTemplate rabbitSpy(ConnectionFactory connections) {
            return spy(new RabbitTemplate(connections));
        }

        @Bean
        PropagatingKafkaTemplate<?, ?> kafkaSpy(DefaultKafkaProducerFactory<Object, Object> producers) {
            return spy(new PropagatingKafkaTemplate<>(producers));
        }

        @Bean
        DefaultKafkaProducerFactory<Object, Object> producers() {
            return new DefaultKafkaProducerFactory<>(Map.of("bootstrap.servers", "localhost:1")) {
                @Override
                protected Producer<Object, Object> createRawProducer(Map<String, Object> settings) {
                    return new MockProducer<>();
                }
            };
        }
    }

    @Test
    void spiesSeeNoProbeAndFactoriesOfAnotherClassAreNamed(CapturedOutput output) {
        runner.withUserConfiguration(Spies.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(Stream.of("rabbitSpy", "kafkaSpy").map(context::getBean))
                    .flatMap(spy -> mockingDetails(spy).getInvocations())
                    .extracting(call -> call.getMethod().getName())
                    .isNotEmpty()
                    .doesNotContain("send");
            assertThat(output)
                    .contains("Template \"rabbitSpy\" is not proved at start, because of a spy")
                    .contains("Template \"kafkaSpy\" is not proved at start")
                    .contains("Producer factory \"producers\" is not proved at start, because of "
                            + Spies.class.getName());
        });
    }

    static class Templates {

        @Bean
        RabbitTemplate transacted(ConnectionFactory connections) {
            RabbitTemplate template = new RabbitTemplate(connections);
            template.setChannelTransacted(true);
            return template;
        }

        @Bean
        RabbitTemplate retrying(ConnectionFactory connections) {
            RabbitTemplate template = new RabbitTemplate(connections);
            template.setRetryTemplate(new RetryTemplate());
            template.setMandatory(true);
            template.setReturnsCallback(returned -> {});
            template.setUsePublisherConnection(true);
            return template;
        }

        @Bean
        RabbitTemplate overAConnectionThatIsNoBean() {
            return new RabbitTemplate(new CachingConnectionFactory());
        }
    }

    @Test
    void templatesOfEveryKindAreProved(CapturedOutput output) {
        runner.withUserConfiguration(Templates.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).doesNotContain("is not proved at start");
        });
    }

    @Test
    void producersThatNoPostProcessorSawCarryKeys() {
        DefaultKafkaProducerFactory<Object, Object> ofParent =
                new DefaultKafkaProducerFactory<>(Map.of("bootstrap.servers", "localhost:1"));
        DefaultKafkaProducerFactory<Object, Object> finished =
                new DefaultKafkaProducerFactory<>(Map.of("bootstrap.servers", "localhost:1"));
        new ApplicationContextRunner()
                .withBean("parents", KafkaTemplate.class, () -> new KafkaTemplate<>(ofParent))
                .run(parent -> runner.withParent(parent)
                        .withInitializer(context -> context.getBeanFactory().registerSingleton("finished", finished))
                        .run(context -> {
                            assertThat(context).hasNotFailed();
                            assertThat(ofParent.getPostProcessors()).hasSize(1);
                            assertThat(finished.getPostProcessors()).hasSize(1);
                        }));
    }

    static class RemovedPostProcessors {

        @Bean
        BeforeContainers later(DefaultKafkaProducerFactory<?, ?> factory) {
            return new BeforeContainers() {
                @Override
                protected void prepare() {
                    removeAll(factory);
                }
            };
        }

        private static <K, V> void removeAll(DefaultKafkaProducerFactory<K, V> factory) {
            List.copyOf(factory.getPostProcessors()).forEach(factory::removePostProcessor);
        }
    }

    @Test
    void aProducerFactoryWhosePostProcessorsWereRemovedIsRefused() {
        assertRefused(RemovedPostProcessors.class, "Producer factory \"kafkaProducerFactory\"");
    }

    /** Counts itself wherever it is called. */
    private static <T> T counted(Class<T> type, Ran ran) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() != Object.class) {
                        ran.parts.add(method.toString());
                    }
                    return method.getName().equals("hashCode") ? Integer.valueOf(1) : null;
                }));
    }

    @Import({Payments.class, Orders.class})
    static class MuchOfItsOwn {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor aspect(ObjectProvider<Ran> ran) {
            NameMatchMethodPointcut named = new NameMatchMethodPointcut();
            named.setMappedName("on");
            named.setClassFilter(type -> type == Payments.class || type == Orders.class);
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(named, new Timed(ran.getObject()));
            advisor.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return advisor;
        }

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(ConnectionFactory connections, Ran ran) {
            SimpleRabbitListenerContainerFactory factory = factory(connections, new SimpleMessageListenerContainer());
            factory.setAdviceChain(new Timed(ran));
            factory.setMessageConverter(new CountedConverter(ran));
            factory.setAfterReceivePostProcessors(counted(MessagePostProcessor.class, ran));
            factory.setErrorHandler(counted(ErrorHandler.class, ran));
            return factory;
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<?, ?> kafkaListenerContainerFactory(
                ConsumerFactory<Object, Object> consumers, Ran ran) {
            ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(consumers);
            factory.setAutoStartup(false);
            factory.getContainerProperties().setAdviceChain(new Timed(ran));
            factory.setRecordMessageConverter(counted(RecordMessageConverter.class, ran));
            factory.setRecordInterceptor((record, consumer) -> {
                ran.parts.add("interceptor");
                return record;
            });
            factory.setRecordFilterStrategy(record -> ran.parts.add("filter"));
            factory.setCommonErrorHandler(counted(CommonErrorHandler.class, ran));
            return factory;
        }

        @Bean
        RabbitTemplate own(ConnectionFactory connections, Ran ran) {
            RabbitTemplate template = new RabbitTemplate(connections);
            template.setBeforePublishPostProcessors(counted(MessagePostProcessor.class, ran));
            template.setConfirmCallback(counted(RabbitTemplate.ConfirmCallback.class, ran));
            return template;
        }

        @Bean
        DefaultKafkaProducerFactory<Object, Object> producers(Ran ran) {
            DefaultKafkaProducerFactory<Object, Object> factory =
                    new DefaultKafkaProducerFactory<>(Map.of("bootstrap.servers", "localhost:1"));
            factory.addPostProcessor(producer -> {
                ran.parts.add("producer");
                return producer;
            });
            return factory;
        }
    }

    static class CountedConverter extends SimpleMessageConverter {

        private final Ran ran;

        CountedConverter(Ran ran) {
            this.ran = ran;
        }

        @Override
        public Object fromMessage(Message message) {
            ran.parts.add("converter");
            return super.fromMessage(message);
        }
    }

    @Test
    void nothingOfTheApplicationRunsAndWhatStandsBetweenIsSaidOnce(CapturedOutput output) {
        runner.withUserConfiguration(MuchOfItsOwn.class).run(context -> {
            assertThat(report(context, "payments"))
                    .contains("not proved at start: its bean is called through " + Timed.class.getName());
            assertThat(report(context, "orders")).contains("not proved at start: its bean is called through");
            assertThat(context.getBean(Ran.class).parts).isEmpty();
            assertThat(output)
                    .containsOnlyOnce("Between the container and @IdempotentListener Payments.on stand "
                            + Timed.class.getName() + ", " + CountedConverter.class.getName())
                    .containsOnlyOnce("Between the container and @IdempotentListener Orders.on stand")
                    .containsOnlyOnce("Template \"own\" is not proved at start")
                    .containsOnlyOnce("Producer factory \"producers\" is not proved at start");
        });
    }

    static class Every {

        @RabbitListener(queues = "one")
        @IdempotentListener(scope = "rabbit-single")
        void single(String body, @Header("number") int number, boolean redelivered) {}

        @RabbitListener(queues = "many", containerFactory = "batches", batch = "true")
        @IdempotentListener(scope = "rabbit-batch")
        void batch(List<String> bodies) {}

        @RabbitListener(queues = "later")
        @IdempotentListener(scope = "rabbit-async")
        CompletableFuture<String> async(String body) {
            return new CompletableFuture<>();
        }

        @RabbitListener(queues = "amqp-one", containerFactory = "amqpOne", autoStartup = "false")
        @IdempotentListener(scope = "amqp-one")
        void amqpOne(String body) {}

        @KafkaListener(id = "single", topics = "single")
        @IdempotentListener(scope = "kafka-single")
        void record(String body) {}

        @KafkaListener(id = "batch", topics = "batch", batch = "true", filter = "everything")
        @IdempotentListener(scope = "kafka-batch")
        void records(List<String> bodies) {}

        @RetryableTopic(autoCreateTopics = "false")
        @KafkaListener(id = "retried", topics = "retried")
        @IdempotentListener(scope = "kafka-retried")
        void retried(String body) {}

        @KafkaListener(id = "shared", topics = "shared", containerFactory = "shares")
        @IdempotentListener(scope = "kafka-shared")
        void shared(String body) {}
    }

    static class Factories {

        @Bean
        RecordFilterStrategy<Object, Object> everything() {
            return record -> true;
        }

        @Bean
        SimpleRabbitListenerContainerFactory batches(ConnectionFactory connections) {
            SimpleRabbitListenerContainerFactory factory = factory(connections, new SimpleMessageListenerContainer());
            factory.setBatchListener(true);
            factory.setConsumerBatchEnabled(true);
            return factory;
        }

        @Bean
        RabbitAmqpListenerContainerFactory amqpOne() {
            return new RabbitAmqpListenerContainerFactory(mock(AmqpConnectionFactory.class));
        }

        @Bean
        ShareKafkaListenerContainerFactory<?, ?> shares() {
            ShareKafkaListenerContainerFactory<Object, Object> factory = new ShareKafkaListenerContainerFactory<>(
                    new DefaultShareConsumerFactory<>(Map.of("bootstrap.servers", "localhost:1")));
            factory.setAutoStartup(false);
            return factory;
        }
    }

    @RabbitListener(queues = "class")
    static class Handlers {

        @RabbitHandler
        @IdempotentListener(scope = "rabbit-handler")
        void on(String body) {}

        @RabbitHandler
        void on(Integer number) {}
    }

    @Test
    void listenersOfEveryKindAreProved() {
        runner.withUserConfiguration(Factories.class, Every.class, Handlers.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(ScopeRegistry.class).descriptions())
                            .hasSize(9)
                            .allSatisfy((scope, description) ->
                                    assertThat(description).doesNotContain("not proved"));
                });
    }

    static class Unmade extends Payments {}

    @Test
    void aListenerWhoseBeanIsNotMadeIsReportedUntilItsContainerIs() {
        runner.withBean(Unmade.class, Unmade::new, definition -> definition.setLazyInit(true))
                .run(context -> {
                    assertThat(report(context, "payments"))
                            .contains("not proved at start: no container delivers to it yet");
                    assertThat(context.getBean(Unmade.class)).isNotNull();
                    assertThat(report(context, "payments")).doesNotContain("not proved");
                });
    }

    @Test
    void theReportSaysThatTheProofIsSwitchedOff() {
        runner.withUserConfiguration(Payments.class)
                .withPropertyValues("idem.proof=false")
                .run(context ->
                        assertThat(report(context, "payments")).contains("not proved at start: idem.proof is false"));
    }

    /** Keeps its own retries, in whose place idem's sends stand. */
    static class OwnRetries extends RabbitTemplate {

        OwnRetries(ConnectionFactory connections) {
            super(connections);
        }

        @Override
        public void setRetryTemplate(RetryTemplate retries) {}
    }

    @Test
    void aTemplateThatComesBrokenAfterTheStartIsNotMade() {
        runner.run(context -> {
            GenericApplicationContext application =
                    context.getSourceApplicationContext(GenericApplicationContext.class);
            application.registerBean(
                    "late", OwnRetries.class, () -> new OwnRetries(context.getBean(ConnectionFactory.class)));
            assertThatThrownBy(() -> application.getBean("late"))
                    .hasRootCauseInstanceOf(ListenerConfigurationException.class)
                    .hasStackTraceContaining("Template \"late\" would not be guarded");
        });
    }

    @Test
    void aContainerThatComesBrokenAfterTheStartDoesNotStart() {
        runner.withBean(
                        "rabbitListenerContainerFactory",
                        SimpleRabbitListenerContainerFactory.class,
                        () -> new DroppedChain().rabbitListenerContainerFactory(new CachingConnectionFactory()))
                .withBean(Unmade.class, Unmade::new, definition -> definition.setLazyInit(true))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThatThrownBy(() -> context.getBean(Unmade.class))
                            .hasRootCauseInstanceOf(ListenerConfigurationException.class);
                    assertThat(context.getBean(ListenerStops.class).reasons())
                            .singleElement()
                            .asString()
                            .contains("Payments.on");
                    assertThat(context.getBean(RabbitListenerEndpointRegistry.class)
                                    .getListenerContainers())
                            .isEmpty();
                });
    }
}
