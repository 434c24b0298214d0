package io.idem.consumer.autoconfigure;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.rabbit.send.AmqpClientSends;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.core.DecoratingProxy;
import org.springframework.util.ClassUtils;

/**
 * Runtime hints for listeners in a native image: the annotation's attributes, the channels that hold settlements back,
 * fields and getters of the frameworks that are not public, and the types that expressions may name. Types are
 * registered by name, since each transport is present only if its library is.
 */
final class ConsumerRuntimeHints implements RuntimeHintsRegistrar {

    private static final String RABBIT = "org.springframework.amqp.rabbit.";
    private static final String AMQP_ONE_CONTAINER =
            "org.springframework.amqp.rabbitmq.client.listener.RabbitAmqpListenerContainer";
    static final String AMQP_ONE_TEMPLATE = "org.springframework.amqp.rabbitmq.client.RabbitAmqpTemplate";
    private static final String KAFKA = "org.springframework.kafka.";

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection().registerType(IdempotentListener.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        // Spring makes it from the attributes where it stands on another annotation.
        hints.proxies().registerJdkProxy(IdempotentListener.class);
        if (ClassUtils.isPresent(RABBIT + "annotation.RabbitListener", classLoader)) {
            registerRabbit(hints);
        }
        for (String kind : List.of("", "$MessageSendSpec", "$ConvertAndSendSpec")) {
            hints.proxies().registerJdkProxy(TypeReference.of(AmqpClientSends.SPECIFICATION + kind));
        }
        if (ClassUtils.isPresent(KAFKA + "annotation.KafkaListener", classLoader)) {
            registerKafka(hints);
        }
    }

    private static void registerRabbit(RuntimeHints hints) {
        // The channels of a CachingConnectionFactory are proxies themselves, so the proxies of idem implement the same
        // interfaces.
        registerProxy(hints, RABBIT + "connection.ChannelProxy");
        registerProxy(hints, RABBIT + "connection.ChannelProxy", RABBIT + "connection.PublisherCallbackChannel");
        hints.proxies().registerJdkProxy(TypeReference.of("com.rabbitmq.client.MetricsCollector"));
        registerField(hints, RABBIT + "connection.AbstractConnectionFactory", "addresses");
        hints.proxies().registerJdkProxy(TypeReference.of(RABBIT + "connection.PublisherCallbackChannel"));
        for (String template : List.of(RABBIT + "core.RabbitTemplate", AMQP_ONE_TEMPLATE)) {
            hints.reflection()
                    .registerType(
                            TypeReference.of(template),
                            MemberCategory.ACCESS_DECLARED_FIELDS,
                            MemberCategory.INVOKE_DECLARED_METHODS);
        }
        registerField(hints, RABBIT + "listener.adapter.AbstractAdaptableMessageListener", "replyPostProcessor");
        hints.reflection()
                .registerType(
                        TypeReference.of(RABBIT + "listener.AbstractMessageListenerContainer"),
                        MemberCategory.ACCESS_DECLARED_FIELDS,
                        MemberCategory.INVOKE_PUBLIC_METHODS,
                        MemberCategory.INVOKE_DECLARED_METHODS);
        registerGetters(hints, RABBIT + "listener.adapter.MessagingMessageListenerAdapter", "getHandlerAdapter");
        registerGetters(hints, RABBIT + "listener.adapter.AbstractAdaptableMessageListener", "getMessageConverter");
        hints.proxies().registerJdkProxy(TypeReference.of("com.rabbitmq.client.Channel"));
        hints.proxies().registerJdkProxy(TypeReference.of("com.rabbitmq.client.amqp.Message"));
        hints.proxies().registerJdkProxy(IdempotencyContext.class);
        registerField(hints, RABBIT + "listener.SimpleMessageListenerContainer", "enforceImmediateAckForManual");
        registerField(hints, RABBIT + "listener.MethodRabbitListenerEndpoint", "errorHandler");
        registerField(hints, RABBIT + "listener.MethodRabbitListenerEndpoint", "returnExceptions");
        registerGetters(
                hints, RABBIT + "listener.adapter.MessageListenerAdapter", "getDelegate", "getDefaultListenerMethod");
        registerField(hints, AMQP_ONE_CONTAINER, "adviceChain");
        registerField(hints, AMQP_ONE_CONTAINER, "errorHandler");
        registerMethods(
                hints, "org.springframework.amqp.core.Message", "org.springframework.amqp.core.MessageProperties");
        hints.reflection().registerType(TypeReference.of(RabbitConnectionCheck.AMQP_ONE));
    }

    private static void registerKafka(RuntimeHints hints) {
        registerField(hints, KAFKA + "listener.AbstractMessageListenerContainer", "consumerFactory");
        hints.proxies().registerJdkProxy(TypeReference.of("org.apache.kafka.clients.consumer.Consumer"));
        hints.proxies()
                .registerJdkProxy(
                        TypeReference.of("org.apache.kafka.clients.producer.Producer"),
                        TypeReference.of(SpringProxy.class),
                        TypeReference.of(Advised.class),
                        TypeReference.of(DecoratingProxy.class));
        registerField(hints, KAFKA + "listener.adapter.MessagingMessageListenerAdapter", "asyncRetryCallback");
        registerField(hints, KAFKA + "listener.adapter.MessagingMessageListenerAdapter", "handlerMethod");
        registerGetters(hints, KAFKA + "listener.adapter.MessagingMessageListenerAdapter", "getMessageConverter");
        registerField(hints, KAFKA + "core.KafkaTemplate", "observationEnabled");
        registerField(hints, KAFKA + "listener.adapter.BatchMessagingMessageListenerAdapter", "batchToRecordAdapter");
        registerField(hints, KAFKA + "listener.adapter.AbstractFilteringMessageListener", "recordFilterStrategy");
        registerField(hints, KAFKA + "listener.adapter.FilteringMessageListenerAdapter", "ackDiscarded");
        registerField(hints, KAFKA + "listener.adapter.FilteringBatchMessageListenerAdapter", "ackDiscarded");
        registerField(hints, KAFKA + "config.MethodKafkaListenerEndpoint", "errorHandler");
        registerMethods(hints, "org.apache.kafka.clients.consumer.ConsumerRecord");
    }

    private static void registerProxy(RuntimeHints hints, String... interfaces) {
        hints.proxies()
                .registerJdkProxy(Stream.concat(Stream.of(interfaces), Stream.of(Serializable.class.getName()))
                        .map(TypeReference::of)
                        .toArray(TypeReference[]::new));
    }

    private static void registerField(RuntimeHints hints, String type, String field) {
        hints.reflection().registerType(TypeReference.of(type), known -> known.withField(field));
    }

    private static void registerGetters(RuntimeHints hints, String type, String... getters) {
        hints.reflection().registerType(TypeReference.of(type), known -> {
            for (String getter : getters) {
                known.withMethod(getter, List.of(), ExecutableMode.INVOKE);
            }
        });
    }

    private static void registerMethods(RuntimeHints hints, String... types) {
        for (String type : types) {
            hints.reflection().registerType(TypeReference.of(type), MemberCategory.INVOKE_PUBLIC_METHODS);
        }
    }
}
