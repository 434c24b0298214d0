package io.idem.test.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import io.idem.test.TestIdempotency;
import io.idem.test.spring.IdempotencyTest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The same with a broker: containers start, messages go through it. */
@SpringBootTest(classes = PaymentsWithBrokerTest.Application.class)
@IdempotencyTest(brokers = true)
@Tag("servers")
class PaymentsWithBrokerTest {

    private static final String QUEUE = "users-payments-" + UUID.randomUUID();

    private final TestIdempotency idempotency;
    private final RabbitTemplate rabbit;
    private final Application application;

    @Autowired
    PaymentsWithBrokerTest(TestIdempotency idempotency, RabbitTemplate rabbit, Application application) {
        this.idempotency = idempotency;
        this.rabbit = rabbit;
        this.application = application;
    }

    @DynamicPropertySource
    static void broker(DynamicPropertyRegistry settings) {
        RunningAmqp amqp = SharedServers.amqp();
        settings.add("test.queue", () -> QUEUE);
        settings.add("spring.rabbitmq.host", amqp::host);
        settings.add("spring.rabbitmq.port", amqp::port);
        settings.add("spring.rabbitmq.username", amqp::username);
        settings.add("spring.rabbitmq.password", amqp::password);
        settings.add("spring.rabbitmq.virtual-host", amqp::virtualHost);
    }

    @Test
    void aDuplicateFromTheBrokerDoesNotRun() {
        publish("p-1", "first");
        publish("p-1", "first");
        publish("p-2", "last");

        await().atMost(Duration.ofMinutes(3)).until(() -> application.paid().contains("last"));
        assertThat(application.paid()).containsExactly("first", "last");
        idempotency.assertThatKey("p-1").inScope("payments").isCompleted().ranOnce();
    }

    private void publish(String key, String payment) {
        rabbit.convertAndSend(QUEUE, (Object) payment, message -> {
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, key);
            return message;
        });
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        private final List<String> paid = new CopyOnWriteArrayList<>();

        @RabbitListener(queuesToDeclare = @Queue(name = "${test.queue}", durable = "true", autoDelete = "true"))
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            paid.add(payment);
        }

        List<String> paid() {
            return paid;
        }
    }
}
