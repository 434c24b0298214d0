package io.idem.consumer.rabbit;

import io.idem.consumer.contract.ReceivedMessage;
import io.idem.servers.RunningAmqp;
import io.idem.servers.process.FreePorts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Connections to brokers, and what lies in their queues, for the tests of contracts. */
final class Brokers {

    private Brokers() {}

    static CachingConnectionFactory shared(RunningAmqp broker) {
        CachingConnectionFactory connections = confirming(broker.host(), broker.port());
        connections.setUsername(broker.username());
        connections.setPassword(broker.password());
        connections.setVirtualHost(broker.virtualHost());
        return connections;
    }

    /** Connections to a port on which no broker listens. */
    static CachingConnectionFactory unreachable() {
        return confirming("127.0.0.1", FreePorts.next());
    }

    private static CachingConnectionFactory confirming(String host, int port) {
        CachingConnectionFactory connections = new CachingConnectionFactory(host, port);
        connections.setPublisherConfirmType(ConfirmType.CORRELATED);
        connections.setPublisherReturns(true);
        return connections;
    }

    /** The messages that are in a queue now, taken out of it. */
    static List<ReceivedMessage> drain(RabbitTemplate template, String queue) {
        List<ReceivedMessage> received = new ArrayList<>();
        for (Message message = template.receive(queue); message != null; message = template.receive(queue)) {
            Map<String, String> headers = new TreeMap<>();
            message.getMessageProperties()
                    .getHeaders()
                    .forEach((name, value) -> headers.put(name, String.valueOf(value)));
            received.add(new ReceivedMessage(new String(message.getBody(), StandardCharsets.UTF_8), headers));
        }
        return received;
    }

    /** The beans of an application that has only these connections. */
    static DefaultListableBeanFactory beans(CachingConnectionFactory connections) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("connections", connections);
        return beans;
    }
}
