package io.idem.demo.supervisor;

import com.rabbitmq.client.ConnectionFactory;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.ApplicationContext;

/**
 * The addresses of an application's servers, whichever kind of setting named them.
 *
 * @param redis null if the application has no Redis
 */
record Addresses(
        ConnectionFactory rabbit,
        KafkaConnectionDetails kafka,
        JdbcConnectionDetails jdbc,
        @Nullable DataRedisConnectionDetails redis) {

    static Addresses of(ApplicationContext application) {
        return new Addresses(
                application.getBean(CachingConnectionFactory.class).getRabbitConnectionFactory(),
                application.getBean(KafkaConnectionDetails.class),
                application.getBean(JdbcConnectionDetails.class),
                application.getBeanProvider(DataRedisConnectionDetails.class).getIfAvailable());
    }

    /** Returns host and port of a Redis. */
    static DataRedisConnectionDetails.Standalone node(DataRedisConnectionDetails redis) {
        DataRedisConnectionDetails.Standalone standalone = redis.getStandalone();
        if (standalone == null) {
            throw new IllegalStateException("The demo's report needs a standalone Redis: set spring.data.redis.host");
        }
        return standalone;
    }

    /** For Kafka's own clients. */
    Map<String, Object> kafkaClient() {
        return Map.of("bootstrap.servers", String.join(",", kafka.getBootstrapServers()));
    }
}
