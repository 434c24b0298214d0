package io.idem.workshop.child;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.servers.process.ParentWatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.transaction.annotation.Transactional;

/**
 * A worker with a tripwire whose listeners take batches, return before their work ends, or run inside a transaction of
 * their container. Queues, topics and groups are named after {@code e2e.name} and the scope. Only Redis protects.
 */
public final class ModesWorkerMain {

    private ModesWorkerMain() {}

    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        new SpringApplicationBuilder(AutoConfigured.class, TripwireConfiguration.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "spring.application.name=modes-worker")
                .run(arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({ModesBrokers.class, Rows.class, Batches.class, Late.class, Transacted.class})
    static class AutoConfigured {}

    /** The effects of all listeners. */
    static class Rows {

        private final JdbcClient jdbc;

        Rows(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        void add(IdempotencyContext attempt) {
            jdbc.sql("INSERT INTO mode_rows (tenant, idempotency_key) VALUES (?, ?)")
                    .params(attempt.key().tenant(), attempt.key().value())
                    .update();
        }
    }

    static class Batches {

        private final Rows rows;

        Batches(Rows rows) {
            this.rows = rows;
        }

        @RabbitListener(queues = "${e2e.name}.rabbit-batches", containerFactory = "batches")
        @IdempotentListener(scope = "rabbit-batches")
        @Transactional
        public void onRabbit(List<byte[]> bodies, List<IdempotencyContext> attempts) {
            attempts.forEach(rows::add);
        }

        @KafkaListener(topics = "${e2e.name}.kafka-batches", groupId = "${e2e.name}.kafka-batches", batch = "true")
        @IdempotentListener(scope = "kafka-batches")
        @Transactional
        public void onKafka(List<String> bodies, List<IdempotencyContext> attempts) {
            attempts.forEach(rows::add);
        }
    }

    static class Late {

        private final Rows rows;

        Late(Rows rows) {
            this.rows = rows;
        }

        @RabbitListener(queues = "${e2e.name}.rabbit-late")
        @IdempotentListener(scope = "rabbit-late")
        CompletableFuture<Void> onRabbit(byte[] body, IdempotencyContext attempt) {
            return CompletableFuture.runAsync(() -> rows.add(attempt));
        }

        @KafkaListener(topics = "${e2e.name}.kafka-late", groupId = "${e2e.name}.kafka-late")
        @IdempotentListener(scope = "kafka-late")
        CompletableFuture<Void> onKafka(String body, IdempotencyContext attempt) {
            return CompletableFuture.runAsync(() -> rows.add(attempt));
        }
    }

    static class Transacted {

        private final Rows rows;

        Transacted(Rows rows) {
            this.rows = rows;
        }

        @KafkaListener(
                topics = "${e2e.name}.kafka-transacted",
                groupId = "${e2e.name}.kafka-transacted",
                containerFactory = "transacted")
        @IdempotentListener(scope = "kafka-transacted")
        void handle(String body, IdempotencyContext attempt) {
            rows.add(attempt);
        }
    }
}
