package io.idem.e2e.instances;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import io.idem.servers.proxy.TcpProxy;
import io.idem.workshop.outside.QueueProbe;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;

/** A queue of RabbitMQ, or of Qpid if there is no RabbitMQ. */
public final class RabbitBroker implements Broker {

    private final RunningAmqp server = SharedServers.amqp();
    private final TcpProxy proxy = TcpProxy.to(server.host(), server.port());
    private final QueueProbe probe = new QueueProbe(server.uri());
    private final String queue = "instances-" + UUID.randomUUID();

    @Override
    public Class<?> listener() {
        return Listener.class;
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("test.name", queue);
        settings.put("spring.rabbitmq.host", proxy.host());
        settings.put("spring.rabbitmq.port", proxy.port());
        settings.put("spring.rabbitmq.username", server.username());
        settings.put("spring.rabbitmq.password", server.password());
        settings.put("spring.rabbitmq.virtual-host", server.virtualHost());
        settings.put("spring.rabbitmq.listener.simple.concurrency", 2);
        settings.put("spring.rabbitmq.listener.simple.prefetch", 20);
        return settings;
    }

    @Override
    public void publish(String key) {
        probe.publish("", queue, Map.of(IdempotencyHeaders.KEY, key), "{}");
    }

    @Override
    public long left() {
        return probe.depth(queue);
    }

    @Override
    public TcpProxy proxy() {
        return proxy;
    }

    @Override
    public void close() {
        probe.delete(queue);
        probe.close();
        proxy.close();
    }

    static class Listener {

        private final Payments payments;
        private final int instance;

        Listener(Payments payments, @Value("${test.instance}") int instance) {
            this.payments = payments;
            this.instance = instance;
        }

        @Bean
        static Queue queue(@Value("${test.name}") String name) {
            return new Queue(name);
        }

        @RabbitListener(queues = "${test.name}")
        @IdempotentListener(scope = "instances")
        public void on(byte[] body, IdempotencyContext attempt) {
            payments.pay(instance, attempt.key().value());
        }
    }
}
