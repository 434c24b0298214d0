package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import io.idem.servers.RunningAmqp.Flavour;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AmqpServersTest {

    @Test
    void theEmbeddedBrokerServesAtTheSameAddressAfterAKill() throws Exception {
        try (RunningAmqp broker = AmqpServers.start(ServerOptions.own())) {
            assertThat(broker.flavour()).isEqualTo(Flavour.QPID);
            assertThat(roundTrip(broker, "before")).isEqualTo("before");
            broker.kill();
            broker.start();

            assertThat(roundTrip(broker, "after")).isEqualTo("after");
        }
    }

    @Test
    void theEmbeddedBrokerDoesNotPretendToKeepData() {
        assertThatThrownBy(() -> AmqpServers.start(ServerOptions.own().keepingData()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RabbitMQ");
    }

    @Test
    void aGivenBrokerIsAskedWhatItIs() {
        RunningAmqp shared = SharedServers.amqp();
        RunningAmqp given = AmqpServers.given(environment(shared.uri())).orElseThrow();

        assertThat(given.flavour()).isEqualTo(shared.flavour());
        assertThat(given.virtualHost()).isEqualTo(shared.virtualHost());
        assertThat(given.description()).isEqualTo(shared.description());
    }

    @Test
    void aGivenAddressWithoutABrokerIsAnError() {
        Environment environment = environment("amqp://user:secret@127.0.0.1:1/");

        assertThatThrownBy(() -> AmqpServers.given(environment))
                .hasMessageContaining("127.0.0.1:1")
                .hasMessageNotContaining("secret");
    }

    @Test
    void theFirstFrameTellsTheProduct() {
        String frame = "....\7productS\0\0\0\10RabbitMQ\7versionS\0\0\0\0054.0.5\10platformS\0\0\0\6Erlang";

        assertThat(AmqpProduct.parse(frame)).isEqualTo(new AmqpProduct("RabbitMQ", "4.0.5"));
        assertThat(AmqpProduct.parse(frame).flavour()).isEqualTo(Flavour.RABBITMQ);
        assertThat(AmqpProduct.parse(frame).atLeast(4, 0)).isTrue();
        assertThat(AmqpProduct.parse(frame).atLeast(4, 3)).isFalse();
        assertThat(AmqpProduct.parse("nothing").flavour()).isEqualTo(Flavour.QPID);
        assertThat(AmqpProduct.parse("nothing").atLeast(0, 0)).isFalse();
    }

    @Test
    void addressesSurviveTheWayThroughAUri() {
        AmqpAddress address = new AmqpAddress("broker.example", 5673, "us/er", "p@ss:wo rd+", "/");

        assertThat(AmqpAddress.parse(address.uri(), "X")).isEqualTo(address);
        assertThat(AmqpAddress.parse("amqp://broker.example", "X"))
                .isEqualTo(new AmqpAddress("broker.example", 5672, "guest", "guest", "/"));
        assertThat(AmqpAddress.parse("amqp://broker.example/orders", "X").virtualHost())
                .isEqualTo("orders");
    }

    private static Environment environment(String uri) {
        return new Environment(
                name -> Optional.ofNullable(Map.of("IDEM_AMQP_URI", uri).get(name)));
    }

    private static String roundTrip(RunningAmqp broker, String body) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            String queue = channel.queueDeclare().getQueue();
            channel.confirmSelect();
            channel.basicPublish("", queue, MessageProperties.TEXT_PLAIN, body.getBytes(StandardCharsets.UTF_8));
            channel.waitForConfirmsOrDie(10_000);
            return new String(channel.basicGet(queue, true).getBody(), StandardCharsets.UTF_8);
        }
    }
}
