package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.servers.SharedServers;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Work that fails leaves nothing behind, whatever RabbitMQ confirms: neither its rows nor the messages that it sent. */
@Tag("servers")
class RolledBackWorkTest {

    private static final Duration BOUND = Duration.ofMinutes(2);

    @ParameterizedTest
    @ValueSource(strings = {"none", "simple", "correlated"})
    void ofAllAttemptsOnlyTheLastOneSendsItsMessage(String confirms) throws SQLException {
        InboxDatabase database = InboxDatabase.in(SharedServers.postgres());
        try (ConfigurableApplicationContext shop = database.start(
                WebApplicationType.NONE,
                List.of(Application.class),
                "spring.rabbitmq.publisher-confirm-type=" + confirms,
                "spring.rabbitmq.listener.simple.prefetch=1",
                "idem.max-attempts=50",
                "idem.backoff.first=10ms",
                "idem.backoff.longest=20ms")) {
            RabbitTemplate template = shop.getBean(RabbitTemplate.class);
            template.convertAndSend("", database.name(), "one", message -> {
                message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, "order-1");
                return message;
            });

            String events = database.name() + ".events";
            Message first = await().atMost(BOUND).until(() -> template.receive(events), Objects::nonNull);
            assertThat(first.getBody()).asString(StandardCharsets.UTF_8).isEqualTo("one, attempt 11");
            assertThat(template.receive(events)).isNull();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        private static final int FAILURES = 10;

        private final AtomicInteger attempts = new AtomicInteger();
        private final RabbitTemplate template;
        private final String events;

        Application(RabbitTemplate template, @Value("${test.name}.events") String events) {
            this.template = template;
            this.events = events;
        }

        @Bean
        static Queue orders(@Value("${test.name}") String name) {
            return new Queue(name);
        }

        @Bean
        static Queue events(@Value("${test.name}.events") String name) {
            return new Queue(name);
        }

        @RabbitListener(queues = "${test.name}")
        @IdempotentListener(scope = "orders")
        void place(String order) {
            int attempt = attempts.incrementAndGet();
            template.convertAndSend("", events, order + ", attempt " + attempt);
            if (attempt <= FAILURES) {
                throw new IllegalStateException("The warehouse does not answer");
            }
        }
    }
}
