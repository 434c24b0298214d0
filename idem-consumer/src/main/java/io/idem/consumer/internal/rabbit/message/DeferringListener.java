package io.idem.consumer.internal.rabbit.message;

import com.rabbitmq.client.Channel;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.AbstractAdaptableMessageListener;
import org.springframework.amqp.rabbit.listener.adapter.MessagingMessageListenerAdapter;
import org.springframework.util.ReflectionUtils;

/**
 * The listener of a container, which makes the container answer a deferral with {@code basic.nack}. From spring-rabbit
 * 4.1.2 on (GH-3507) a container rejects the message of a listener that throws, unless the listener may have settled
 * it, and RabbitMQ 4.3 counts rejections towards the delivery limit of a quorum queue. So this listener reports that it
 * may have settled deferred messages; failures are left to the container. Thread-safe.
 */
public final class DeferringListener extends MessagingMessageListenerAdapter {

    private static final @Nullable Method MAY_SETTLE =
            ReflectionUtils.findMethod(AbstractAdaptableMessageListener.class, "maySettleDelivery");

    private final MessagingMessageListenerAdapter own;
    private final Method maySettle;
    private final ThreadLocal<Boolean> deferred = ThreadLocal.withInitial(() -> false);

    private DeferringListener(MessagingMessageListenerAdapter own, Method maySettle) {
        this.own = own;
        this.maySettle = maySettle;
    }

    /** Decorates the listener of a container for single messages; empty where this version nacks anyway. */
    static Optional<DeferringListener> install(AbstractMessageListenerContainer container) {
        if (MAY_SETTLE == null || !(container.getMessageListener() instanceof MessagingMessageListenerAdapter own)) {
            return Optional.empty();
        }
        DeferringListener deferring = new DeferringListener(own, MAY_SETTLE);
        container.setMessageListener(deferring);
        return Optional.of(deferring);
    }

    /** Returns the container's listener without this decorator: the adapter that replies. */
    public static @Nullable MessageListener behind(@Nullable MessageListener listener) {
        return listener instanceof DeferringListener deferring ? deferring.own : listener;
    }

    /** Sets whether the delivery of this thread ended with a deferral. */
    void deferred(boolean isDeferred) {
        deferred.set(isDeferred);
    }

    /** Overrides a method of spring-rabbit 4.1.2; called on the thread of the delivery. */
    @SuppressWarnings("MissingOverride")
    public boolean maySettleDelivery() {
        return deferred.get() || Boolean.TRUE.equals(ReflectionUtils.invokeMethod(maySettle, own));
    }

    @Override
    public void onMessage(Message message, @Nullable Channel channel) throws Exception {
        own.onMessage(message, channel);
    }

    @Override
    public boolean isAsyncReplies() {
        return own.isAsyncReplies();
    }

    @Override
    public void containerAckMode(AcknowledgeMode mode) {
        own.containerAckMode(mode);
    }
}
