package io.idem.workshop.child;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.servers.process.ParentWatch;
import java.nio.charset.StandardCharsets;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A worker with a tripwire on the queue {@code e2e.queue} that writes a row for each message. */
public final class QuorumWorkerMain {

    /** The payload that the listener rejects. */
    public static final String POISON = "poison";

    private QuorumWorkerMain() {}

    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        new SpringApplicationBuilder(AutoConfigured.class, TripwireConfiguration.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "spring.application.name=quorum-worker")
                .run(arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OnQueue.class)
    static class AutoConfigured {}

    static class OnQueue {

        private final JdbcClient jdbc;

        OnQueue(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        @RabbitListener(queues = "${e2e.queue}")
        @IdempotentListener(scope = "quorum", inbox = true)
        void handle(byte[] body, IdempotencyContext attempt) {
            if (new String(body, StandardCharsets.UTF_8).equals(POISON)) {
                throw new IllegalArgumentException("This cannot be taken");
            }
            jdbc.sql("INSERT INTO quorum_rows (tenant, idempotency_key) VALUES (?, ?)")
                    .params(attempt.key().tenant(), attempt.key().value())
                    .update();
        }
    }
}
