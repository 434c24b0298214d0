package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.amqp.Message;
import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.memory.InMemoryIdempotencyStore;
import java.io.Serializable;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.connection.PublisherCallbackChannel;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.AbstractAdaptableMessageListener;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.annotation.AliasFor;
import org.springframework.javapoet.ClassName;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.adapter.AbstractFilteringMessageListener;
import org.springframework.kafka.listener.adapter.BatchMessagingMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.FilteringBatchMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.FilteringMessageListenerAdapter;
import org.springframework.kafka.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.util.ReflectionUtils;

/** An application with idempotent listeners can be processed ahead of time, and a native image would keep what idem needs. */
@Tag("servers")
class AheadOfTimeTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        InMemoryIdempotencyStore store() {
            return new InMemoryIdempotencyStore();
        }
    }

    record Order(Customer customer, List<Line> lines) {}

    record Customer(String id) {}

    record Line(int quantity) {}

    record Receipt(String number) {}

    static class Listeners {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "orders", key = "#order.customer.id")
        Receipt on(Order order) {
            return new Receipt(order.customer().id());
        }

        @KafkaListener(topics = "topic", groupId = "group")
        @IdempotentListener(scope = "records")
        void on(ConsumerRecord<String, String> record) {}
    }

    @IdempotentListener(scope = "")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Participant {

        @AliasFor(annotation = IdempotentListener.class, attribute = "scope")
        String name();
    }

    static class OwnAnnotation {

        @RabbitListener(queues = "queue")
        @Participant(name = "participant")
        void on(String body) {}
    }

    static class Hopeless {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "hopeless")
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"})
        private void on(String body) {}
    }

    /** Classes are made once in a JVM: what other tests have proxied already would not be made here. */
    static class OwnRegistry extends RabbitListenerEndpointRegistry {}

    static class OwnKafkaRegistry extends KafkaListenerEndpointRegistry {}

    private static final InMemoryGeneratedFiles FILES = new InMemoryGeneratedFiles();
    private static final RuntimeHints HINTS = process(
            FILES, Application.class, Listeners.class, OwnAnnotation.class, OwnRegistry.class, OwnKafkaRegistry.class);

    private static RuntimeHints process(InMemoryGeneratedFiles files, Class<?>... sources) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(sources);
            DefaultGenerationContext generation =
                    new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(AheadOfTimeTest.class)), files);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            return generation.getRuntimeHints();
        }
    }

    @Test
    void whatIsLookedUpWhileItRunsIsKept() throws NoSuchMethodException {
        Predicate<RuntimeHints> all = Stream.of(
                        RuntimeHintsPredicates.resource().forResource("META-INF/idem/lua/acquire.lua"),
                        RuntimeHintsPredicates.proxies().forInterfaces(ChannelProxy.class, Serializable.class),
                        RuntimeHintsPredicates.proxies()
                                .forInterfaces(ChannelProxy.class, PublisherCallbackChannel.class, Serializable.class))
                .reduce(hints -> true, Predicate::and);
        assertThat(all.test(HINTS)).as("resources and proxies").isTrue();
        assertFieldIsKept(AbstractAdaptableMessageListener.class, "replyPostProcessor");
        assertFieldIsKept(AbstractMessageListenerContainer.class, "consumerFactory");
        assertFieldIsKept(BatchMessagingMessageListenerAdapter.class, "batchToRecordAdapter");
        assertFieldIsKept(AbstractFilteringMessageListener.class, "recordFilterStrategy");
        assertFieldIsKept(FilteringBatchMessageListenerAdapter.class, "ackDiscarded");
        assertFieldIsKept(FilteringMessageListenerAdapter.class, "ackDiscarded");
        assertFieldIsKept(MethodKafkaListenerEndpoint.class, "errorHandler");
        assertMethodIsKept(IdempotentListener.class.getMethod("scope"));
        assertMethodIsKept(ConsumerRecord.class.getMethod("key"));
        assertMethodIsKept(Order.class.getDeclaredMethod("customer"));
        assertMethodIsKept(Customer.class.getDeclaredMethod("id"));
        assertMethodIsKept(Line.class.getDeclaredMethod("quantity"));
        assertMethodIsKept(Receipt.class.getDeclaredMethod("number"));
    }

    @Test
    void annotationsOfTheApplicationsOwnAreKept() throws NoSuchMethodException {
        assertMethodIsKept(Participant.class.getMethod("name"));
        assertThat(RuntimeHintsPredicates.proxies()
                        .forInterfaces(IdempotentListener.class)
                        .test(HINTS))
                .isTrue();
    }

    @Test
    void whatTheProofAtStartReadsAndCallsIsKept() {
        Class<?> container = org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer.class;
        assertFieldIsKept(container, "proxy");
        assertFieldIsKept(MessagingMessageListenerAdapter.class, "handlerMethod");
        assertFieldIsKept(KafkaTemplate.class, "observationEnabled");
        assertMethodIsKept(Objects.requireNonNull(
                ReflectionUtils.findMethod(container, "invokeListener", Channel.class, Object.class)));
        Class<?> adapter = org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter.class;
        assertMethodIsKept(Objects.requireNonNull(ReflectionUtils.findMethod(adapter, "getHandlerAdapter")));
        assertMethodIsKept(Objects.requireNonNull(ReflectionUtils.findMethod(adapter, "getMessageConverter")));
        Stream.of(Channel.class, Message.class, IdempotencyContext.class)
                .forEach(type -> assertThat(RuntimeHintsPredicates.proxies()
                                .forInterfaces(type)
                                .test(HINTS))
                        .as(type.getName())
                        .isTrue());
    }

    /** What RabbitMQ's containers tell only to their subclasses. */
    @ParameterizedTest
    @ValueSource(strings = {"isDefaultRequeueRejected", "isExposeListenerChannel", "getTransactionManager"})
    void gettersOfContainersAreKeptWhereTheyAreDeclared(String getter) {
        assertMethodIsKept(
                Objects.requireNonNull(ReflectionUtils.findMethod(SimpleMessageListenerContainer.class, getter)));
        assertMethodIsKept(
                Objects.requireNonNull(ReflectionUtils.findMethod(DirectMessageListenerContainer.class, getter)));
    }

    private static void assertFieldIsKept(Class<?> type, String field) {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onFieldAccess(type, field)
                        .test(HINTS))
                .as(field)
                .isTrue();
    }

    private static void assertMethodIsKept(Method method) {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(method)
                        .test(HINTS))
                .as(method.toString())
                .isTrue();
    }

    @Test
    void proxiesAreMadeAheadOfTime() {
        assertThat(FILES.getGeneratedFiles(Kind.CLASS).keySet())
                .anyMatch(name -> name.contains("AheadOfTimeTest$Listeners$$SpringCGLIB"))
                .anyMatch(name -> name.contains("AheadOfTimeTest$OwnRegistry$$SpringCGLIB"))
                .anyMatch(name -> name.contains("AheadOfTimeTest$OwnKafkaRegistry$$SpringCGLIB"));
    }

    @Test
    void aListenerThatCannotWorkEndsTheBuildAlready() {
        assertThatThrownBy(() -> process(new InMemoryGeneratedFiles(), Application.class, Hopeless.class))
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContaining("Hopeless.on");
    }
}
