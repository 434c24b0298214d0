package io.idem.consumer.internal.rabbit.container;

import com.rabbitmq.client.Channel;
import io.idem.consumer.internal.definition.DefinedListener;
import io.idem.consumer.internal.delivery.CurrentDelivery.HandOver;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.consumer.internal.rabbit.message.ContainerFacts;
import io.idem.consumer.internal.rabbit.message.DeferringListener;
import io.idem.consumer.internal.rabbit.message.RabbitFailureObserver;
import io.idem.internal.method.HiddenMembers;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.listener.adapter.HandlerAdapter;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.AbstractAdaptableMessageListener;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.util.ReflectionUtils;

/**
 * The proof of one listener's container: a message comes to the delivery hook first, and idem decides before the bean
 * that the listener's adapter holds.
 *
 * @param hook the delivery hook
 */
record ContainerProof(IdempotentRabbitEndpoint endpoint, Advice hook, StartProof proof) {

    /** The hook asks for the channel alone, and agents that trace deliveries look for a message. */
    private static final List<Message> NO_MESSAGE = List.of();

    /** Proves a container, whose advices are in force. */
    void of(AbstractMessageListenerContainer container) {
        proof.ofContainer(endpoint.bean(), () -> {
            Object chain = HiddenMembers.read(container, "proxy");
            Method invoke = HiddenMembers.method(container.getClass(), "invokeListener", Channel.class, Object.class);
            // A subclass of the application may have overridden it.
            Object called = invoke.getDeclaringClass() == AbstractMessageListenerContainer.class ? container : chain;
            prove(
                    chain,
                    container.getMessageListener(),
                    Stream.concat(Stream.of(container), new ContainerFacts(container).adviceChain().stream()),
                    () -> ReflectionUtils.invokeMethod(
                            HiddenMembers.method(
                                    Objects.requireNonNull(called).getClass(),
                                    "invokeListener",
                                    Channel.class,
                                    Object.class),
                            called,
                            nothing(Channel.class),
                            NO_MESSAGE));
        });
    }

    /**
     * Proves what a container calls.
     *
     * @param called by the container, for each message
     * @param listener without the advices in front of it
     * @param advices idem's and the application's, and what else gets the message before
     * @param delivery of a message
     */
    void prove(@Nullable Object called, @Nullable MessageListener listener, Stream<?> advices, HandOver delivery) {
        proof.reaches(endpoint.toString(), hook, called, delivery);
        if (!(endpoint.bean() instanceof DefinedListener)) {
            Object adapter = Objects.requireNonNull(DeferringListener.behind(listener));
            Object held = adapter;
            if (adapter instanceof MessagingMessageListenerAdapter) {
                held = ((HandlerAdapter) Objects.requireNonNull(HiddenMembers.ask(adapter, "getHandlerAdapter")))
                        .getBean();
            } else if (adapter instanceof MessageListenerAdapter) {
                held = Objects.requireNonNull(HiddenMembers.ask(adapter, "getDelegate"));
            }
            Stream<Object> converter = adapter instanceof AbstractAdaptableMessageListener
                    ? Stream.ofNullable(HiddenMembers.ask(adapter, "getMessageConverter"))
                    : Stream.empty();
            proof.decides(
                    endpoint.bean(),
                    held,
                    endpoint.methods(),
                    Stream.concat(
                            advices.filter(advice -> advice != hook && !(advice instanceof RabbitFailureObserver)),
                            converter));
        }
    }

    /** Returns an object on which nothing can be called. */
    static <T> T nothing(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    throw new UnsupportedOperationException("A probe went too far: " + method);
                }));
    }
}
