package io.idem.consumer.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.AddressResolver;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ReturnCallback;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ as publishers see it, in this process: a mandatory message without a queue is returned, then confirmed. Exchanges with
 * the plugin's type x-delayed-message return what they delay, too, and confirm it.
 */
final class ReturningBroker extends ConnectionFactory implements AutoCloseable {

    /** A message as the broker got it. */
    record Published(String exchange, String routingKey, boolean mandatory, BasicProperties properties, String body) {

        String to() {
            return exchange + "/" + routingKey;
        }
    }

    private final Set<String> queues = ConcurrentHashMap.newKeySet();
    private final Set<String> delayed = ConcurrentHashMap.newKeySet();
    private final List<Published> published = new CopyOnWriteArrayList<>();
    private final List<Published> taken = new CopyOnWriteArrayList<>();
    private final ExecutorService answers = Executors.newSingleThreadExecutor();
    private volatile boolean confirmsUnroutable = true;
    private volatile int bindsAfter = Integer.MAX_VALUE;

    /** Binds a queue to an exchange, or makes a queue: of the exchange with the empty name. */
    ReturningBroker bind(String exchange, String routingKey) {
        queues.add(exchange + "/" + routingKey);
        return this;
    }

    /** Binds every destination when it has got so many messages. */
    ReturningBroker bindAfter(int messages) {
        bindsAfter = messages;
        return this;
    }

    ReturningBroker delaying(String exchange) {
        delayed.add(exchange);
        return this;
    }

    /** Makes a broker that refuses what it returns, as others than RabbitMQ do. */
    ReturningBroker refusingUnroutable() {
        confirmsUnroutable = false;
        return this;
    }

    List<Published> published() {
        return published;
    }

    /** Messages that are in a queue, or will be after a delay. */
    List<Published> taken() {
        return taken;
    }

    @Override
    public Connection newConnection(ExecutorService executor, String name) {
        return proxy(Connection.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "createChannel" -> channel((Connection) proxy);
            case "openChannel" -> Optional.of(channel((Connection) proxy));
            case "isOpen" -> true;
            default -> nothing(proxy, method, arguments);
        });
    }

    @Override
    public Connection newConnection(ExecutorService executor, List<Address> addresses, String name) {
        return newConnection(executor, name);
    }

    @Override
    public Connection newConnection(ExecutorService executor, AddressResolver addresses, String name) {
        return newConnection(executor, name);
    }

    private Channel channel(Connection connection) {
        AtomicLong next = new AtomicLong(1);
        List<ConfirmListener> confirms = new CopyOnWriteArrayList<>();
        List<ReturnCallback> returns = new CopyOnWriteArrayList<>();
        return proxy(Channel.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "isOpen" -> true;
            case "getConnection" -> connection;
            case "getNextPublishSeqNo" -> next.get();
            case "addConfirmListener" -> {
                confirms.add((ConfirmListener) arguments[0]);
                yield null;
            }
            case "addReturnListener" -> {
                returns.add((ReturnCallback) arguments[0]);
                yield null;
            }
            case "basicPublish" -> {
                Published message = new Published(
                        (String) arguments[0],
                        (String) arguments[1],
                        (boolean) arguments[2],
                        onTheWire((BasicProperties) arguments[3]),
                        new String((byte[]) arguments[4], StandardCharsets.UTF_8));
                long number = next.getAndIncrement();
                answers.execute(() -> answer(message, number, confirms, returns));
                yield null;
            }
            default -> nothing(proxy, method, arguments);
        });
    }

    private void answer(Published message, long number, List<ConfirmListener> confirms, List<ReturnCallback> returns) {
        published.add(message);
        boolean delays = delayed.contains(message.exchange()) && isDelayed(message.properties());
        boolean routed = !delays && (queues.contains(message.to()) || published.size() > bindsAfter);
        if (delays || routed) {
            taken.add(message);
        }
        if (!routed && message.mandatory()) {
            Return returned = new Return(
                    312, "NO_ROUTE", message.exchange(), message.routingKey(), message.properties(), new byte[0]);
            returns.forEach(callback -> callback.handle(returned));
        }
        for (ConfirmListener confirm : confirms) {
            try {
                if (routed || delays || !message.mandatory() || confirmsUnroutable) {
                    confirm.handleAck(number, false);
                } else {
                    confirm.handleNack(number, false);
                }
            } catch (IOException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    /** As the plugin does: numbers and texts of numbers, if they are positive. */
    private static boolean isDelayed(BasicProperties properties) {
        Object delay =
                properties.getHeaders() == null ? null : properties.getHeaders().get("x-delay");
        try {
            return delay != null && Double.parseDouble(delay.toString()) > 0;
        } catch (NumberFormatException noDelay) {
            return false;
        }
    }

    /** The properties with the types that a client reads. */
    private static BasicProperties onTheWire(BasicProperties sent) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(0);
        out.writeLong(0);
        sent.writePropertiesTo(new ContentHeaderPropertyWriter(out));
        out.flush();
        return new BasicProperties(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }

    private static @Nullable Object nothing(Object proxy, Method method, Object @Nullable [] arguments) {
        Class<?> type = method.getReturnType();
        if (method.getName().equals("hashCode")) {
            return System.identityHashCode(proxy);
        }
        if (method.getName().equals("equals")) {
            return proxy == Objects.requireNonNull(arguments)[0];
        }
        if (type == boolean.class) {
            return false;
        }
        return type == int.class ? (Object) 1 : null;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public void close() {
        answers.shutdownNow();
    }
}
