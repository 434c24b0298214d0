package io.idem.test.rabbit;

import com.rabbitmq.client.Channel;
import io.idem.test.DeliveryEnd;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A channel without a broker that records the acknowledgement of its only message. Thread-safe. */
final class RecordedChannel implements InvocationHandler {

    static final long DELIVERY_TAG = 1;

    private static final long LONGEST_SECONDS = 30;

    private final CompletableFuture<DeliveryEnd> said = new CompletableFuture<>();

    Channel channel() {
        return (Channel) Proxy.newProxyInstance(Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, this);
    }

    /** Returns the end of the delivery; empty if the message was not acknowledged or rejected yet. */
    Optional<DeliveryEnd> said() {
        return Optional.ofNullable(said.getNow(null));
    }

    /**
     * Waits for listeners whose work ends on another thread; returns {@code REDELIVERED} if it does not end within half
     * a minute.
     */
    DeliveryEnd await() {
        return said.completeOnTimeout(DeliveryEnd.REDELIVERED, LONGEST_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
        Object[] given = arguments == null ? new Object[0] : arguments;
        return switch (method.getName()) {
            case "basicAck" -> say(DeliveryEnd.ACKNOWLEDGED);
            case "basicNack", "basicReject" -> say(end(Boolean.TRUE.equals(given[given.length - 1])));
            case "isOpen" -> true;
            case "equals" -> proxy == given[0];
            case "hashCode" -> System.identityHashCode(proxy);
            case "toString" -> "a channel of a test";
            default -> nothing(method.getReturnType());
        };
    }

    private @Nullable Object say(DeliveryEnd end) {
        said.complete(end);
        return null;
    }

    private static DeliveryEnd end(boolean requeued) {
        return requeued ? DeliveryEnd.REDELIVERED : DeliveryEnd.DEAD_LETTERED;
    }

    /** Returns zero or false for a primitive type, which a proxy cannot answer by null. */
    private static @Nullable Object nothing(Class<?> type) {
        return type.isPrimitive() && type != void.class ? Array.get(Array.newInstance(type, 1), 0) : null;
    }
}
