package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
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

    private static DeliveryLimits limits(Queue... declared) {
        return new DeliveryLimits(
                () -> Stream.of(declared),
                Duration.ofSeconds(10),
                () -> Duration.ofMinutes(15),
                Duration.ofSeconds(30));
    }

    private static Message from(String queue) {
        MessageProperties properties = new MessageProperties();
        properties.setConsumerQueue(queue);
        return new Message(new byte[0], properties);
    }

    @Test
    void aTimeToLiveBelowLeaseAndWaitIsWarnedOf(CapturedOutput output) {
        SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
        container.setQueueNames("short", "long", "none");

        limits(
                        new Queue("short", true, false, false, Map.of("x-message-ttl", 39_999)),
                        new Queue("long", true, false, false, Map.of("x-message-ttl", 40_000L)),
                        new Queue("none"))
                .check(container);

        assertThat(output)
                .contains("Queue \"short\" has x-message-ttl=39999", "up to PT15M", "40000")
                .doesNotContain("\"long\"", "\"none\"");
    }

    @Test
    void whatExpiresOrComesFromAStreamIsLostByAReturn() {
        DeliveryLimits limits = limits(
                new Queue("expiring", true, false, false, Map.of("x-message-ttl", 60_000)),
                new Queue("typed", true, false, false, Map.of("x-queue-type", "quorum")),
                new Queue("untyped"));
        Message expiring = from("other");
        expiring.getMessageProperties().setExpiration("800");

        assertThat(limits.isLostByReturn(from("other"))).isFalse();
        assertThat(limits.isLostByReturn(from("untyped"))).isFalse();
        assertThat(limits.isLostByReturn(expiring)).isTrue();
        assertThat(limits.isLostByReturn(from("expiring"))).isTrue();
        for (String queue : List.of("other", "untyped", "typed")) {
            Message streamed = from(queue);
            streamed.getMessageProperties().setHeader("x-stream-offset", 3L);
            assertThat(limits.isFromStream(streamed)).as(queue).isEqualTo(!queue.equals("typed"));
            assertThat(limits.isLostByReturn(streamed)).as(queue).isEqualTo(!queue.equals("typed"));
        }
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
