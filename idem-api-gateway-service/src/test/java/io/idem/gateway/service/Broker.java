package io.idem.gateway.service;

import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import io.idem.servers.qpid.QpidDeclarations;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/** An exchange and queues of a test's own on the shared AMQP broker. */
final class Broker implements AutoCloseable {

    static final String PAYMENTS = "payment.requested";

    private final RunningAmqp server = SharedServers.amqp();
    private final CachingConnectionFactory connections = new CachingConnectionFactory(server.host(), server.port());
    private final RabbitAdmin admin;
    private final DirectExchange exchange = new DirectExchange("idem-" + UUID.randomUUID(), false, true);

    Broker() {
        connections.setUsername(server.username());
        connections.setPassword(server.password());
        connections.setVirtualHost(server.virtualHost());
        admin = new RabbitAdmin(connections);
        admin.declareExchange(exchange);
    }

    RunningAmqp server() {
        return server;
    }

    String exchange() {
        return exchange.getName();
    }

    /** Binds a queue to a routing key. */
    void bind(String routingKey) {
        bind(routingKey, Map.of());
    }

    /** Binds a queue that takes one message and refuses what comes then. */
    void bindSmall(String routingKey) {
        Map<String, Object> small = Map.of("x-max-length", 1, "x-overflow", "reject-publish");
        bind(routingKey, server.flavour() == RunningAmqp.Flavour.QPID ? QpidDeclarations.queueArguments(small) : small);
    }

    private void bind(String routingKey, Map<String, Object> arguments) {
        Queue queue = new Queue(queue(routingKey), true, false, false, arguments);
        admin.declareQueue(queue);
        admin.declareBinding(BindingBuilder.bind(queue).to(exchange).with(routingKey));
    }

    /** The next message of a queue; null if it is empty. */
    @Nullable Message next(String routingKey) {
        RabbitTemplate template = new RabbitTemplate(connections);
        return template.receive(queue(routingKey));
    }

    /** Puts a message into a queue. */
    void put(String routingKey, String body, Map<String, Object> headers) {
        new RabbitTemplate(connections).convertAndSend("", queue(routingKey), body, message -> {
            headers.forEach(message.getMessageProperties()::setHeader);
            return message;
        });
    }

    /** Takes a queue away. */
    void delete(String routingKey) {
        admin.deleteQueue(queue(routingKey));
    }

    /** Empties a queue. */
    void drain(String routingKey) {
        admin.purgeQueue(queue(routingKey));
    }

    /** Name of the queue that is bound to a routing key. */
    String queue(String routingKey) {
        return exchange.getName() + "." + routingKey;
    }

    /** Settings of a route to the exchange. */
    Stream<String> route(int index, String path, String routingKey) {
        String name = "idem.gateway.routes[" + index + "].";
        return Stream.of(name + "path=" + path, name + "exchange=" + exchange(), name + "routing-key=" + routingKey);
    }

    /** Where the broker is. */
    Stream<String> settings() {
        return settings(server.host(), server.port());
    }

    /** Where a proxy in front of the broker is. */
    Stream<String> settings(String host, int port) {
        return Stream.of(
                "spring.rabbitmq.host=" + host,
                "spring.rabbitmq.port=" + port,
                "spring.rabbitmq.username=" + server.username(),
                "spring.rabbitmq.password=" + server.password(),
                "spring.rabbitmq.virtual-host=" + server.virtualHost());
    }

    @Override
    public void close() {
        admin.deleteQueue(queue(PAYMENTS));
        admin.deleteExchange(exchange.getName());
        connections.destroy();
    }
}
