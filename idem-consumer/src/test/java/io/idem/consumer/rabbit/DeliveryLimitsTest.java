package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

@ExtendWith(OutputCaptureExtension.class)
class DeliveryLimitsTest extends RabbitScenario {

    private static Queue queue(String name, long limit) {
        Queue queue = new Queue(name, true, false, false, Map.of("x-delivery-limit", limit));
        queue.setShouldDeclare(false);
        return queue;
    }

    @Test
    void aLimitThatWaitingSoonUsesUpIsWarnedOf(CapturedOutput output) {
        SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
        container.setQueueNames("small", "large", "unlimited", "other");
        Duration lease = Duration.ofSeconds(30);

        new DeliveryLimits(
                        () -> Stream.of(
                                queue("small", 3),
                                queue("large", 4),
                                queue("unlimited", -1),
                                new Queue("other"),
                                queue("not listened to", 0)),
                        Duration.ofSeconds(10),
                        () -> Duration.ofMinutes(15),
                        lease)
                .check(container);

        assertThat(output)
                .contains("Queue \"small\" has x-delivery-limit=3", "for longer than PT2M30S")
                .doesNotContain("\"large\"", "\"unlimited\"", "\"other\"", "not listened to");
    }

    @Test
    void theQueuesThatAnApplicationDeclaresAreLookedAtWhenItStarts(CapturedOutput output) {
        launch(OnDeclaredQueue.class);

        assertThat(output).contains("Queue \"declared\" has x-delivery-limit=1", "Queue \"declared too\"");
    }

    static class OnDeclaredQueue {

        @Bean
        static Queue declared() {
            return queue("declared", 1);
        }

        @Bean
        static Declarables more() {
            return new Declarables(queue("declared too", 2));
        }

        @RabbitListener(
                queues = {"declared", "declared too"},
                autoStartup = "false")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body) {}
    }
}
