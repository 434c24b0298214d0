package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.idem.servers.RunningAmqp.Flavour;
import io.idem.servers.junit.RequiresRabbitMq;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests features of the available RabbitMQ that Qpid lacks. */
@RequiresRabbitMq
class RealRabbitMqTest {

    private final RunningAmqp broker = AmqpServers.realRabbitMq().orElseThrow();
    private final String queue = "quorum-" + UUID.randomUUID();

    @Test
    void itIsTheSharedBrokerAndSaysWhatItIs() {
        assertThat(SharedServers.amqp()).isSameAs(broker);
        assertThat(broker.flavour()).isEqualTo(Flavour.RABBITMQ);
        assertThat(broker.description()).matches("RabbitMQ \\d+\\.\\d+\\.\\d+ at .+:\\d+");
    }

    @Test
    void aQuorumQueueDeadLettersWhatExceedsItsDeliveryLimit() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            String dead = channel.queueDeclare().getQueue();
            channel.queueDeclare(queue, true, false, false, quorumArguments(dead));
            channel.confirmSelect();
            byte[] body = "poison".getBytes(StandardCharsets.UTF_8);
            channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, body);
            channel.waitForConfirmsOrDie(10_000);
            for (int attempt = 0; attempt < 2; attempt++) {
                GetResponse delivery = await(() -> channel.basicGet(queue, false));
                channel.basicNack(delivery.getEnvelope().getDeliveryTag(), false, true);
            }

            GetResponse poison = await(() -> channel.basicGet(dead, true));
            assertThat(poison.getBody()).isEqualTo(body);
            assertThat(poison.getProps().getHeaders()).containsKey("x-death");
            channel.queueDelete(queue);
        }
    }

    private static Map<String, Object> quorumArguments(String deadLetterQueue) {
        return Map.of(
                "x-queue-type",
                "quorum",
                "x-delivery-limit",
                1,
                "x-dead-letter-exchange",
                "",
                "x-dead-letter-routing-key",
                deadLetterQueue);
    }

    private static GetResponse await(Callable<GetResponse> get) {
        return Awaitility.await().atMost(Duration.ofMinutes(2)).until(get, response -> response != null);
    }
}
