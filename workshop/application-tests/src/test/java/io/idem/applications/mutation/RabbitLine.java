package io.idem.applications.mutation;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Two queues of RabbitMQ. */
final class RabbitLine implements Line {

    private static final int SAMPLES = 5_000;

    private final String name;
    private final String eventsName;
    private final RunningAmqp broker = SharedServers.amqp();
    private final Connection connection;
    private final Channel channel;
    private final List<String> events = new ArrayList<>();

    RabbitLine(String name) throws Exception {
        this.name = name;
        this.eventsName = name + ".events";
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        this.connection = factory.newConnection();
        this.channel = connection.createChannel();
        channel.queueDeclare(name, true, false, false, null);
        channel.queueDeclare(eventsName, true, false, false, null);
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of(
                "spring.rabbitmq.host", broker.host(),
                "spring.rabbitmq.port", broker.port(),
                "spring.rabbitmq.username", broker.username(),
                "spring.rabbitmq.password", broker.password(),
                "spring.rabbitmq.virtual-host", broker.virtualHost(),
                "spring.rabbitmq.listener.simple.prefetch", 1);
    }

    @Override
    public void send(String key, String order) throws Exception {
        channel.basicPublish(
                "",
                name,
                new BasicProperties.Builder()
                        .contentType("text/plain")
                        .headers(Map.of(IdempotencyHeaders.KEY, key))
                        .build(),
                order.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public List<String> events() throws Exception {
        for (GetResponse next = channel.basicGet(eventsName, true);
                next != null;
                next = channel.basicGet(eventsName, true)) {
            events.add(new String(next.getBody(), StandardCharsets.UTF_8));
        }
        return events;
    }

    /** An order that comes again and again can be had between two deliveries. */
    @Override
    public boolean isHeld() throws Exception {
        for (int i = 0; i < SAMPLES; i++) {
            GetResponse had = channel.basicGet(name, false);
            if (had != null) {
                channel.basicReject(had.getEnvelope().getDeliveryTag(), true);
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean keepsAnOrder() throws Exception {
        return channel.messageCount(name) > 0;
    }

    @Override
    public void close() throws Exception {
        channel.queueDelete(name);
        channel.queueDelete(eventsName);
        connection.close();
    }
}
