package io.idem.consumer.rabbit;

import io.idem.OutgoingMessage;
import io.idem.consumer.contract.OutgoingTransportContract;
import io.idem.consumer.contract.ReceivedMessage;
import io.idem.consumer.contract.TransportHarness;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.publish.OutgoingRabbitMessage;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.publish.RoutedMessage;
import io.idem.consumer.internal.rabbit.send.RabbitOutgoingTransport;
import io.idem.servers.SharedServers;
import io.idem.spi.OutgoingTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

@Tag("servers")
class RabbitTransportContractTest extends OutgoingTransportContract {

    @Override
    protected TransportHarness open() {
        return new Harness();
    }

    private static final class Harness implements TransportHarness {

        private final String queue = "idem-" + UUID.randomUUID();
        private final CachingConnectionFactory broker = Brokers.shared(SharedServers.amqp());
        private final CachingConnectionFactory nobody = Brokers.unreachable();

        Harness() {
            new RabbitAdmin(broker).declareQueue(new Queue(queue));
        }

        @Override
        public OutgoingTransport transport() {
            return transport(broker);
        }

        @Override
        public OutgoingTransport unreachable() {
            return transport(nobody);
        }

        private static OutgoingTransport transport(CachingConnectionFactory connections) {
            return new RabbitOutgoingTransport(
                    new RabbitConnections(Brokers.beans(connections)), Duration.ofSeconds(30));
        }

        @Override
        public OutgoingMessage message(String body, Map<String, String> headers) {
            return message(queue, body, headers);
        }

        @Override
        public OutgoingMessage refused() {
            return message(queue + ".gone", "refused", Map.of());
        }

        private static OutgoingMessage message(String to, String body, Map<String, String> headers) {
            MessageBuilder message = MessageBuilder.withBody(body.getBytes(StandardCharsets.UTF_8));
            headers.forEach(message::setHeader);
            return OutgoingRabbitMessage.of(new RabbitDestination("", to), new RoutedMessage(message.build(), true))
                    .encode(Optional.empty());
        }

        @Override
        public List<ReceivedMessage> arrived() {
            return Brokers.drain(new RabbitTemplate(broker), queue);
        }

        @Override
        public void close() {
            new RabbitAdmin(broker).deleteQueue(queue);
            broker.destroy();
            nobody.destroy();
        }
    }
}
