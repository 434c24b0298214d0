package io.idem.cloudstream;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.definition.DefinedListener;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import java.util.Locale;
import java.util.Set;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageDeliveryException;
import org.springframework.messaging.support.MessageBuilder;

/**
 * The way of a guarded binding's messages from its adapters to its channel: a message goes on to the channel if the
 * engine grants its key. The function behind the channel, and what it sends, are the work. Thread-safe; blocks.
 */
final class GuardedBinding implements MessageChannel, DefinedListener, MessageWork {

    private static final String PREFIX = "x-idempotency-";
    private static final Set<String> OTHERS =
            Set.of(IdempotencyHeaders.STANDARD_KEY.toLowerCase(Locale.ROOT), "message-id", "amqp_messageid");

    private final ListenerDefinition definition;
    private final MessageChannel input;
    private final MessageWork decided;

    /** Set on a thread that has a granted message, until the channel asks for it. */
    private final ThreadLocal<Boolean> granted = new ThreadLocal<>();

    /** @param input the binding's channel, to which its function listens */
    GuardedBinding(ListenerDefinition definition, MessageChannel input, IdempotentListeners listeners) {
        this.definition = definition;
        this.input = input;
        ProxyFactory proxy = new ProxyFactory();
        proxy.setTarget(this);
        proxy.addInterface(MessageWork.class);
        proxy.addAdvice((MethodInterceptor) invocation -> listeners.call(CurrentDelivery.get(), invocation));
        this.decided = (MessageWork) proxy.getProxy(MessageWork.class.getClassLoader());
    }

    @Override
    public ListenerDefinition definition() {
        return definition;
    }

    /** Returns once the delivery is decided, which its hook then settles. */
    @Override
    public boolean send(Message<?> message, long timeout) {
        decided.run(message);
        return true;
    }

    @Override
    public void run(Message<?> message) {
        granted.set(true);
        try {
            if (!input.send(withoutKey(message))) {
                throw new MessageDeliveryException(message, "The channel \"" + input + "\" did not take the message");
            }
        } finally {
            granted.remove();
        }
    }

    /** Takes the grant of this thread's message. Returns whether there was one, and so false for a second call. */
    boolean takeGrant() {
        boolean taken = granted.get() != null;
        granted.remove();
        return taken;
    }

    /**
     * Removes the headers of the key and the message's id: Spring copies those of a message to what its function returns,
     * which is another operation with a key of its own.
     */
    private static Message<?> withoutKey(Message<?> message) {
        String[] own = message.getHeaders().keySet().stream()
                .filter(GuardedBinding::isOfKey)
                .toArray(String[]::new);
        return own.length == 0
                ? message
                : MessageBuilder.fromMessage(message).removeHeaders(own).build();
    }

    private static boolean isOfKey(String header) {
        String lower = header.toLowerCase(Locale.ROOT);
        return lower.startsWith(PREFIX) || OTHERS.contains(lower);
    }
}
