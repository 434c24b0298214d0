package io.idem.servers.qpid;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.idem.servers.AmqpServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.ServerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests on a real Qpid that translated declarations behave as the originals do on RabbitMQ. */
class QpidDialectTest {

    private static RunningAmqp broker;
    private static Connection connection;
    private static Channel channel;

    @BeforeAll
    static void start() throws Exception {
        broker = AmqpServers.start(ServerOptions.own());
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        connection = factory.newConnection();
        channel = connection.createChannel();
        channel.confirmSelect();
        channel.exchangeDeclare("dead", "fanout");
        channel.queueDeclare("dead", false, false, false, Map.of());
        channel.queueBind("dead", "dead", "");
    }

    @AfterAll
    static void stop() throws IOException {
        connection.close();
        broker.close();
    }

    @Test
    void aRejectedMessageIsDeadLettered() throws Exception {
        declare("rejecting", Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", "dead"));
        publish("rejecting", "rejected");
        reject("rejecting");

        assertThat(get("dead")).isEqualTo("rejected");
        assertThat(channel.messageCount("rejecting")).isZero();
    }

    @Test
    void aRejectedMessageReachesTheQueueNamedThroughTheDefaultExchange() throws Exception {
        declare("parked", Map.of());
        declare("parking", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "parked"));
        publish("parking", "rejected");
        reject("parking");

        assertThat(get("parked")).isEqualTo("rejected");
    }

    @Test
    void aRejectedMessageIsDroppedWhereNothingIsDeclared() throws Exception {
        channel.queueDeclare("plain", false, false, false, Map.of());
        publish("plain", "rejected");
        reject("plain");

        assertThat(channel.messageCount("plain")).isZero();
    }

    @Test
    void aRequeuedMessageStaysHoweverOften() throws Exception {
        declare("requeueing", Map.of("x-dead-letter-exchange", "dead"));
        publish("requeueing", "again");
        for (int round = 0; round < 5; round++) {
            GetResponse delivery = await(() -> channel.basicGet("requeueing", false));
            assertThat(delivery.getEnvelope().isRedeliver()).isEqualTo(round > 0);
            channel.basicNack(delivery.getEnvelope().getDeliveryTag(), false, true);
        }

        assertThat(get("requeueing")).isEqualTo("again");
    }

    @Test
    void anExpiredMessageIsDeadLettered() throws Exception {
        declare("expiring", Map.of("x-message-ttl", 50, "x-dead-letter-exchange", "dead"));
        publish("expiring", "expired");

        assertThat(get("dead")).isEqualTo("expired");
    }

    @Test
    void aFullQueueRefusesOrDropsTheOldest() throws Exception {
        declare("full", Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        declare("ring", Map.of("x-max-length", 1));
        publish("full", "first");
        publish("ring", "first");
        publish("ring", "second");

        try (Channel refused = connection.createChannel()) {
            refused.confirmSelect();
            refused.basicPublish("", "full", true, null, new byte[0]);
            assertThat(refused.waitForConfirms(10_000)).isFalse();
        }
        assertThat(get("full")).isEqualTo("first");
        assertThat(get("ring")).isEqualTo("second");
    }

    @Test
    void anUnroutableMessageGoesToTheAlternateExchange() throws Exception {
        channel.exchangeDeclare(
                "routing",
                "direct",
                false,
                false,
                QpidDeclarations.exchangeArguments(Map.of("alternate-exchange", "dead")));
        channel.basicPublish("routing", "nowhere", null, "unroutable".getBytes(StandardCharsets.UTF_8));

        assertThat(get("dead")).isEqualTo("unroutable");
    }

    private static void declare(String queue, Map<String, Object> arguments) throws IOException {
        channel.queueDeclare(queue, false, false, false, QpidDeclarations.queueArguments(arguments));
    }

    private static void publish(String queue, String body) throws Exception {
        boolean mandatory = true;
        channel.basicPublish("", queue, mandatory, null, body.getBytes(StandardCharsets.UTF_8));
        channel.waitForConfirmsOrDie(10_000);
    }

    private static void reject(String queue) throws Exception {
        GetResponse delivery = await(() -> channel.basicGet(queue, false));
        channel.basicReject(delivery.getEnvelope().getDeliveryTag(), false);
    }

    private static String get(String queue) throws Exception {
        GetResponse delivery = await(() -> channel.basicGet(queue, true));
        return new String(delivery.getBody(), StandardCharsets.UTF_8);
    }

    private static GetResponse await(Callable<GetResponse> get) {
        return Awaitility.await().atMost(Duration.ofMinutes(2)).until(get, response -> response != null);
    }
}
