package io.idem.consumer.rabbit;

import static org.awaitility.Awaitility.await;

import io.idem.consumer.contract.ConsumerApplication;
import io.idem.consumer.contract.ContractConfiguration;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ObservedStore;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.contract.SharedApplications;
import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import io.idem.servers.qpid.QpidDeclarations;
import io.idem.servers.spring.RabbitOfBoot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueInformation;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** A Spring Boot application on a real AMQP broker, with an exchange and queues of its own. */
final class RabbitApplication implements ConsumerApplication {

    private static final List<String> QUEUES = List.of(PAYMENTS, RECEIPTS, "dead", "settled");
    private static final List<String> LISTENER_SETTINGS = List.of(
            "retry.enabled=true",
            "retry.max-retries=2",
            "retry.initial-interval=10ms",
            "default-requeue-rejected=false",
            "prefetch=10");

    private final ConfigurableApplicationContext context;
    private final List<String> deadLetters = new CopyOnWriteArrayList<>();

    private SharedApplications.@Nullable Place<RabbitApplication> place;
    private boolean takenDown;

    private RabbitApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Returns the extension that keeps applications for the tests of a class. */
    static SharedApplications<RabbitApplication> shared() {
        return new SharedApplications<>(RabbitApplication::end);
    }

    /** Starts the application of an earlier test of the class if all its listeners are {@link Resettable}, and a new one otherwise. */
    static RabbitApplication start(
            SharedApplications<RabbitApplication> shared, List<Class<?>> listeners, String... settings) {
        if (!listeners.stream().allMatch(Resettable.class::isAssignableFrom)) {
            return start(listeners, settings);
        }
        SharedApplications.Place<RabbitApplication> place =
                shared.place(List.of(List.copyOf(listeners), List.of(settings)));
        RabbitApplication application =
                place.take().map(RabbitApplication::startOnNewQueues).orElseGet(() -> start(listeners, settings));
        application.place = place;
        return application;
    }

    static RabbitApplication start(List<Class<?>> listeners, String... settings) {
        List<Class<?>> sources = new ArrayList<>(List.of(Application.class));
        sources.addAll(listeners);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .properties(defaults())
                .run(Arrays.stream(settings).map(setting -> "--" + setting).toArray(String[]::new));
        return new RabbitApplication(context);
    }

    private static String[] defaults() {
        RunningAmqp broker = SharedServers.amqp();
        Stream<String> fixed = Stream.of(
                "spring.main.banner-mode=off",
                "spring.rabbitmq.host=" + broker.host(),
                "spring.rabbitmq.port=" + broker.port(),
                "spring.rabbitmq.username=" + broker.username(),
                "spring.rabbitmq.password=" + broker.password(),
                "spring.rabbitmq.virtual-host=" + broker.virtualHost(),
                "idem.consumer.in-place-wait=200ms",
                "spring.rabbitmq.publisher-confirm-type=correlated",
                "spring.rabbitmq.publisher-returns=true",
                "test.name=idem-" + UUID.randomUUID());
        Stream<String> listeners = Stream.of("simple", "direct")
                .flatMap(type ->
                        LISTENER_SETTINGS.stream().map(setting -> "spring.rabbitmq.listener." + type + "." + setting));
        return Stream.concat(fixed, listeners).toArray(String[]::new);
    }

    @Override
    public void send(String body, Map<String, Object> headers) {
        String routingKey = body.startsWith(FOR_BOTH) ? FOR_BOTH : PAYMENTS;
        template().convertAndSend(name(), routingKey, body, message -> withHeaders(message, headers));
    }

    static Message withHeaders(Message message, Map<String, Object> headers) {
        headers.forEach(message.getMessageProperties()::setHeader);
        return message;
    }

    String name() {
        return name(context.getEnvironment());
    }

    private static String name(Environment environment) {
        return environment.getRequiredProperty("test.name");
    }

    RabbitTemplate template() {
        return bean(RabbitTemplate.class);
    }

    @Override
    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    boolean hasBean(String name) {
        return context.containsBean(name);
    }

    <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    @Override
    public List<String> deadLetters() {
        for (Message letter = receive("dead"); letter != null; letter = receive("dead")) {
            deadLetters.add(new String(letter.getBody(), StandardCharsets.UTF_8));
        }
        return deadLetters;
    }

    @Nullable Message receive(String queue) {
        return template().receive(name() + "." + queue);
    }

    /** Unlike a receive with a timeout, does not acknowledge as a consumer does. */
    Message awaitMessage(String queue) {
        return await().atMost(Duration.ofMinutes(2)).until(() -> receive(queue), Objects::nonNull);
    }

    /** From now on messages with this routing key arrive there. */
    void bind(String queue, String routingKey) {
        bean(RabbitAdmin.class)
                .declareBinding(
                        new Binding(name() + "." + queue, Binding.DestinationType.QUEUE, name(), routingKey, null));
    }

    @Override
    public long stopAndCountUnsettled() {
        bean(RabbitListenerEndpointRegistry.class).stop();
        bean(CachingConnectionFactory.class).resetConnection();
        return ready(PAYMENTS) + ready(RECEIPTS);
    }

    @Override
    public void startAgain() {
        deadLetters.clear();
        QUEUES.forEach(queue -> bean(RabbitAdmin.class).purgeQueue(name() + "." + queue));
        bean(RabbitListenerEndpointRegistry.class).start();
    }

    /** Stops the listeners for the next test, which gets new queues; returns whether they have settled all that they began. */
    private boolean stop() {
        takeDown();
        ObservedStore store = context.getBeanProvider(ObservedStore.class).getIfAvailable();
        return store != null && store.settled() && listeners().noneMatch(Lifecycle::isRunning);
    }

    /** Starts the listeners of an earlier test on new queues, which a new connection declares. */
    private RabbitApplication startOnNewQueues() {
        takenDown = false;
        deadLetters.clear();
        bean(CachingConnectionFactory.class).resetConnection();
        context.getBeansOfType(Resettable.class, true, false).values().forEach(Resettable::reset);
        listeners().filter(SmartLifecycle::isAutoStartup).forEach(Lifecycle::start);
        return this;
    }

    long ready(String queue) {
        QueueInformation found = bean(RabbitAdmin.class).getQueueInfo(name() + "." + queue);
        return Objects.requireNonNull(found, queue).getMessageCount();
    }

    /** Ends the application, or stops it for the next test that needs one like it. */
    @Override
    public void close() {
        if (place == null || !stop()) {
            end();
        } else {
            place.leave(this);
        }
    }

    private void end() {
        takeDown();
        context.close();
    }

    private void takeDown() {
        if (takenDown) {
            return;
        }
        RabbitAdmin admin = bean(RabbitAdmin.class);
        bean(RabbitListenerEndpointRegistry.class).stop();
        QUEUES.forEach(queue -> admin.deleteQueue(name() + "." + queue));
        admin.deleteExchange(name());
        takenDown = true;
    }

    private Stream<MessageListenerContainer> listeners() {
        return bean(RabbitListenerEndpointRegistry.class).getListenerContainers().stream();
    }

    /** The configuration of every test application. Leaves out Kafka, which no test needs and which slows each start. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = KafkaAutoConfiguration.class,
            excludeName = {
                "io.idem.consumer.autoconfigure.IdemKafkaAutoConfiguration",
                "io.idem.consumer.autoconfigure.IdemKafkaTemplateAutoConfiguration"
            })
    @Import(ContractConfiguration.class)
    static class Application {

        @Bean
        static BeanDefinitionRegistryPostProcessor observeSettlements(ObjectProvider<EventLog> log) {
            return RabbitOfBoot.connectionCustomizer(
                    factory -> factory.setMetricsCollector(new ObservedSettlements(log.getObject())));
        }

        /** An application's own customizer; lets containers stop sooner. */
        @Bean
        ContainerCustomizer<SimpleMessageListenerContainer> stopSoon(Environment environment) {
            boolean enforced = environment.getProperty("test.immediate-ack", Boolean.class, false);
            return container -> {
                container.setReceiveTimeout(50);
                container.setEnforceImmediateAckForManual(enforced);
            };
        }

        /** The dead-letter queue comes first: some brokers want to know it when it is named. */
        @Bean
        Declarables topology(Environment environment) {
            String name = name(environment);
            DirectExchange exchange = new DirectExchange(name, false, true);
            Queue dead = queue(name, "dead", Map.of());
            Map<String, Object> deadLettering =
                    Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", dead.getName());
            Queue payments = queue(name, PAYMENTS, deadLettering);
            Queue receipts = queue(name, RECEIPTS, deadLettering);
            Queue settled = queue(name, "settled", Map.of());
            return new Declarables(
                    exchange,
                    dead,
                    payments,
                    receipts,
                    settled,
                    bind(payments, exchange, PAYMENTS),
                    bind(payments, exchange, FOR_BOTH),
                    bind(receipts, exchange, FOR_BOTH),
                    bind(settled, exchange, "settled"));
        }

        private static Queue queue(String application, String name, Map<String, Object> arguments) {
            boolean qpid = SharedServers.amqp().flavour() == RunningAmqp.Flavour.QPID;
            return new Queue(
                    application + "." + name,
                    true,
                    false,
                    false,
                    qpid ? QpidDeclarations.queueArguments(arguments) : arguments);
        }

        private static Binding bind(Queue queue, DirectExchange exchange, String routingKey) {
            return BindingBuilder.bind(queue).to(exchange).with(routingKey);
        }
    }
}
