package io.idem.demo.supervisor;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.idem.demo.messaging.PaymentQueues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

/** A client of the AMQP broker like any other, without Spring and without idem. Thread-safe. */
final class AmqpQueues implements AutoCloseable {

    private static final long CONFIRM_MILLIS = 10_000;

    private final Connection connection;
    private final Channel channel;

    AmqpQueues(ConnectionFactory spring) {
        try {
            this.connection = factory(spring).newConnection("payment-demo");
            this.channel = connection.createChannel();
            channel.confirmSelect();
        } catch (IOException e) {
            throw new UncheckedIOException("The AMQP broker cannot be reached", e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("The AMQP broker does not answer", e);
        }
    }

    /** Recovers its connections, unlike the factory of Spring. */
    private static ConnectionFactory factory(ConnectionFactory spring) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(spring.getHost());
        factory.setPort(spring.getPort());
        factory.setUsername(spring.getUsername());
        factory.setPassword(spring.getPassword());
        factory.setVirtualHost(spring.getVirtualHost());
        return factory;
    }

    /** Publishes JSON; returns when the broker has confirmed it. */
    synchronized void publish(String exchange, String routingKey, Map<String, Object> headers, byte[] body) {
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(2)
                .headers(headers)
                .build();
        try {
            channel.basicPublish(exchange, routingKey, true, properties, body);
            channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException("A message to " + routingKey + " could not be published", e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("A message to " + routingKey + " was not confirmed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a confirm", e);
        }
    }

    /** Messages that wait for a consumer. */
    int payments() {
        return depth(PaymentQueues.PAYMENTS);
    }

    /** Messages that were given up. */
    int deadLetters() {
        return depth(PaymentQueues.DEAD_LETTERS);
    }

    private synchronized int depth(String queue) {
        try {
            return (int) channel.messageCount(queue);
        } catch (IOException e) {
            throw new UncheckedIOException("The queue " + queue + " cannot be inspected", e);
        }
    }

    /** The broker's own words about itself. */
    String product() {
        Map<String, Object> server = connection.getServerProperties();
        return Objects.toString(server.get("product"), "unknown") + " " + Objects.toString(server.get("version"), "");
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The connection to the AMQP broker did not close", e);
        }
    }
}
