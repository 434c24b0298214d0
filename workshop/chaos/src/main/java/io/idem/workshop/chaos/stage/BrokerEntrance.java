package io.idem.workshop.chaos.stage;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.idem.servers.RunningAmqp;
import io.idem.workshop.chaos.load.Entrance;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.Names;
import io.idem.workshop.outside.Reply;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Clients that publish to the brokers without an intake. A message counts as accepted when its broker has confirmed it;
 * one that was not confirmed may have arrived, and comes twice if it is repeated. Thread-safe.
 */
final class BrokerEntrance implements Entrance {

    private static final int PERSISTENT = 2;
    private static final int ACCEPTED = 202;
    private static final long CONFIRM_MILLIS = 30_000;

    private final ConnectionFactory amqp = new ConnectionFactory();
    private final KafkaProducer<byte[], byte[]> kafka;
    private @Nullable Connection connection;
    private @Nullable Channel channel;

    BrokerEntrance(RunningAmqp broker, String bootstrapServers) {
        this.kafka = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers), new ByteArraySerializer(), new ByteArraySerializer());
        amqp.setAutomaticRecoveryEnabled(false);
        try {
            amqp.setUri(broker.uri());
        } catch (Exception e) {
            throw new IllegalStateException("Not an address of a broker: " + broker, e);
        }
    }

    @Override
    public Reply post(Lane lane, String key) {
        if (lane.rabbit()) {
            publishToRabbit(lane, key);
        } else {
            publishToKafka(lane, key);
        }
        return new Reply(ACCEPTED, Map.of(), "confirmed by the broker");
    }

    private synchronized void publishToRabbit(Lane lane, String key) {
        try {
            Channel open = channel();
            open.basicPublish(
                    Names.EXCHANGE,
                    lane.id(),
                    true,
                    OutsideMessages.properties(key, PERSISTENT),
                    OutsideMessages.bytes(Names.BODY));
            open.waitForConfirmsOrDie(CONFIRM_MILLIS);
        } catch (Exception e) {
            disconnect();
            throw new IllegalStateException("RabbitMQ did not confirm the message", e);
        }
    }

    private Channel channel() throws Exception {
        Channel open = channel;
        if (open == null) {
            Connection fresh = amqp.newConnection("chaos-client");
            connection = fresh;
            open = fresh.createChannel();
            open.confirmSelect();
            channel = open;
        }
        return open;
    }

    private void disconnect() {
        if (connection != null) {
            connection.abort();
        }
        connection = null;
        channel = null;
    }

    private void publishToKafka(Lane lane, String key) {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(lane.id(), OutsideMessages.bytes(key), OutsideMessages.bytes(Names.BODY));
        OutsideMessages.headers(key)
                .forEach((name, value) -> message.headers().add(name, OutsideMessages.bytes(value.toString())));
        try {
            kafka.send(message).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while publishing", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not confirm the record", e);
        }
    }

    @Override
    public synchronized void close() {
        disconnect();
        kafka.close();
    }
}
