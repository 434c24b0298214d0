package io.idem.cloudstream;

import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import io.idem.servers.junit.RequiresRabbitMq;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueInformation;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/** The contract on RabbitMQ, whose arguments of queues the binder sets. */
@RequiresRabbitMq
class RabbitStreamTest extends StreamContract {

    private static final String CONSUMER = "spring.cloud.stream.rabbit.bindings.pay-in-0.consumer.";

    @Override
    List<String> broker() {
        RunningAmqp broker = SharedServers.amqp();
        return List.of(
                "spring.cloud.stream.default-binder=rabbit",
                "spring.rabbitmq.host=" + broker.host(),
                "spring.rabbitmq.port=" + broker.port(),
                "spring.rabbitmq.username=" + broker.username(),
                "spring.rabbitmq.password=" + broker.password(),
                "spring.rabbitmq.virtual-host=" + broker.virtualHost(),
                "spring.rabbitmq.publisher-confirm-type=correlated",
                "spring.rabbitmq.publisher-returns=true");
    }

    @Override
    List<String> binderDeadLetters() {
        return List.of(CONSUMER + "auto-bind-dlq=true", CONSUMER + "republish-to-dlq=true");
    }

    @Override
    List<String> ownDeadLetters(String name) {
        return List.of(
                "idem.consumer.rabbit.dead-letter.exchange=" + name,
                "idem.consumer.rabbit.dead-letter.routing-key=letters");
    }

    @Override
    String ownDeadLetterDestination(String name) {
        return name;
    }

    @Override
    void send(StreamApplication to, String destination, String body, Map<String, String> headers) {
        template(to).convertAndSend(destination, "payment", body, message -> {
            headers.forEach(message.getMessageProperties()::setHeader);
            return message;
        });
    }

    private static RabbitTemplate template(StreamApplication of) {
        return of.bean(RabbitTemplate.class);
    }

    private static RabbitAdmin admin(StreamApplication of) {
        return new RabbitAdmin(of.bean(ConnectionFactory.class));
    }

    @Override
    Arrivals listen(StreamApplication at, String destination) {
        RabbitAdmin admin = admin(at);
        admin.declareExchange(new TopicExchange(destination));
        Queue named = new Queue("idem-arrivals-" + System.nanoTime(), false, false, true);
        admin.declareQueue(named);
        admin.declareBinding(new Binding(named.getName(), Binding.DestinationType.QUEUE, destination, "#", null));
        return arrivals(at, named.getName());
    }

    private static Arrivals arrivals(StreamApplication at, String queue) {
        List<Map.Entry<String, Map<String, String>>> all = new CopyOnWriteArrayList<>();
        return () -> {
            for (Message message = template(at).receive(queue);
                    message != null;
                    message = template(at).receive(queue)) {
                Map<String, String> headers = new TreeMap<>();
                message.getMessageProperties()
                        .getHeaders()
                        .forEach((name, value) -> headers.put(name, String.valueOf(value)));
                all.add(Map.entry(new String(message.getBody(), StandardCharsets.UTF_8), headers));
            }
            return all;
        };
    }

    private static String queue(StreamApplication of) {
        return of.destination("pay-in-0") + "." + StreamApplication.GROUP;
    }

    @Override
    Arrivals binderDeadLettersOf(StreamApplication application) {
        return arrivals(application, queue(application) + ".dlq");
    }

    /** A queue counts only the messages that are with no consumer; a new connection hands the others back. */
    @Override
    boolean isSettled(StreamApplication application, String destination, int sent) {
        QueueInformation found = admin(application).getQueueInfo(queue(application));
        return found != null && found.getMessageCount() == 0;
    }

    @Override
    String unsafe() {
        return CONSUMER + "acknowledge-mode=NONE";
    }
}
