package io.idem.workshop.outside;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** A client of the AMQP broker that publishes, counts and takes messages without idem. Thread-safe. */
public final class QueueProbe implements AutoCloseable {

    private static final long CONFIRM_MILLIS = 60_000;

    private static final int PERSISTENT = 2;

    private final Connection connection;
    private final Channel channel;

    public QueueProbe(String amqpUri) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(amqpUri);
            connection = factory.newConnection("e2e");
            channel = connection.createChannel();
            channel.confirmSelect();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException | java.security.GeneralSecurityException | java.net.URISyntaxException e) {
            throw new IllegalStateException("No connection to the AMQP broker", e);
        }
    }

    /** Publishes a persistent JSON message; returns when it is confirmed. */
    public synchronized void publish(String exchange, String routingKey, Map<String, Object> headers, String body) {
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .headers(headers)
                .build();
        try {
            channel.basicPublish(exchange, routingKey, true, properties, body.getBytes(StandardCharsets.UTF_8));
            channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while publishing", e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("The broker did not confirm", e);
        }
    }

    /** Returns the number of waiting messages; Qpid also counts unacknowledged messages of a consumer. */
    public synchronized int depth(String queue) {
        try {
            return channel.queueDeclarePassive(queue).getMessageCount();
        } catch (IOException e) {
            throw new UncheckedIOException("No queue " + queue, e);
        }
    }

    /** Takes the oldest message and acknowledges it. */
    public synchronized Optional<GetResponse> take(String queue) {
        try {
            return Optional.ofNullable(channel.basicGet(queue, true));
        } catch (IOException e) {
            throw new UncheckedIOException("No queue " + queue, e);
        }
    }

    /** Declares a queue of this connection that receives a copy of everything published there from now on. */
    public synchronized String bindCopyOf(String exchange, String routingKey) {
        try {
            String queue = channel.queueDeclare().getQueue();
            channel.queueBind(queue, exchange, routingKey);
            return queue;
        } catch (IOException e) {
            throw new UncheckedIOException("No copies of " + exchange, e);
        }
    }

    /** Declares a durable quorum queue, which only RabbitMQ supports. */
    public synchronized void declareQuorum(String queue, Map<String, Object> arguments) {
        Map<String, Object> all = new LinkedHashMap<>(arguments);
        all.put("x-queue-type", "quorum");
        try {
            channel.queueDeclare(queue, true, false, false, all);
        } catch (IOException e) {
            throw new UncheckedIOException("The quorum queue " + queue + " cannot be declared", e);
        }
    }

    /** Deletes a queue with its messages. */
    public synchronized void delete(String queue) {
        try {
            channel.queueDelete(queue);
        } catch (IOException e) {
            throw new UncheckedIOException("The queue " + queue + " cannot be removed", e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
