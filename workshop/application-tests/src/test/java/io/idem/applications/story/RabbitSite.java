package io.idem.applications.story;

import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import io.idem.servers.qpid.QpidDeclarations;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/** A queue with a dead-letter queue, and a queue for messages that the application publishes. */
final class RabbitSite implements Site {

    static final String DEAD = ".dead";
    static final String EVENTS = ".events";

    private static final long CONFIRM_MILLIS = 60_000;

    private final String name;
    private final CachingConnectionFactory connections;
    private final RabbitTemplate template;
    private final RabbitAdmin admin;
    private final List<String> dead = new CopyOnWriteArrayList<>();

    RabbitSite(String name) {
        this.name = name;
        connections = connections(SharedServers.amqp());
        template = new RabbitTemplate(connections);
        admin = new RabbitAdmin(template);
        declare(name + DEAD, Map.of());
        declare(name + EVENTS, Map.of());
        declare(name, Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", name + DEAD));
    }

    static CachingConnectionFactory connections(RunningAmqp broker) {
        CachingConnectionFactory connections = new CachingConnectionFactory(broker.host(), broker.port());
        connections.setUsername(broker.username());
        connections.setPassword(broker.password());
        connections.setVirtualHost(broker.virtualHost());
        connections.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.SIMPLE);
        return connections;
    }

    private void declare(String queue, Map<String, Object> arguments) {
        boolean qpid = SharedServers.amqp().flavour() == RunningAmqp.Flavour.QPID;
        admin.declareQueue(
                new Queue(queue, true, false, false, qpid ? QpidDeclarations.queueArguments(arguments) : arguments));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void publish(String body, Map<String, String> headers) {
        MessageProperties properties = new MessageProperties();
        properties.setContentType(MessageProperties.CONTENT_TYPE_TEXT_PLAIN);
        headers.forEach((header, value) -> {
            if (header.equals("message-id")) {
                properties.setMessageId(value);
            } else {
                properties.setHeader(header, value);
            }
        });
        Message message = new Message(body.getBytes(StandardCharsets.UTF_8), properties);
        template.invoke(operations -> {
            operations.send("", name, message);
            operations.waitForConfirmsOrDie(CONFIRM_MILLIS);
            return true;
        });
    }

    @Override
    public long unacknowledged() {
        return Objects.requireNonNull(admin.getQueueInfo(name), name).getMessageCount();
    }

    @Override
    public synchronized long deadLetters(String body) {
        for (Message letter = template.receive(name + DEAD); letter != null; letter = template.receive(name + DEAD)) {
            dead.add(new String(letter.getBody(), StandardCharsets.UTF_8));
        }
        return dead.stream().filter(body::equals).count();
    }

    @Override
    public void close() {
        List.of(name, name + DEAD, name + EVENTS).forEach(admin::deleteQueue);
        connections.destroy();
    }
}
