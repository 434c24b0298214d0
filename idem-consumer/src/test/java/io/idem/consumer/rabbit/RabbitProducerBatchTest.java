package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.EventLog;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.batch.SimpleBatchingStrategy;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.BatchingRabbitTemplate;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The messages of a producer's batch share one header table, and with it the key of the first of them. */
class RabbitProducerBatchTest extends RabbitScenario {

    @ParameterizedTest
    @ValueSource(strings = {"AUTO", "MANUAL"})
    void aBatchUnderOneKeyIsADeadLetterAsAWholeAndNoneOfItsMessagesIsDropped(AcknowledgeMode mode) {
        launch(
                mode == AcknowledgeMode.MANUAL ? ManualListeners.class : AutoListeners.class,
                "spring.rabbitmq.listener.simple.acknowledge-mode=" + mode,
                "spring.rabbitmq.listener.simple.default-requeue-rejected=true",
                NO_RETRY);

        sendBatch("one", "two", "three");
        send("k", "sound");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(app().deadLetters())
                        .singleElement()
                        .asString()
                        .contains("one", "two", "three"));
        assertThat(script().bodies(PAYMENTS)).containsExactly("sound");
        assertThat(log().count(EventLog.DELIVERY)).as("nothing loops").isEqualTo(2);
    }

    private void sendBatch(String... bodies) {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.initialize();
        BatchingRabbitTemplate template = new BatchingRabbitTemplate(
                app().bean(ConnectionFactory.class),
                new SimpleBatchingStrategy(bodies.length, 10_000, 10_000),
                scheduler);
        for (String body : List.of(bodies)) {
            template.convertAndSend(
                    app().name(),
                    PAYMENTS,
                    body,
                    message -> RabbitApplication.withHeaders(message, Map.of(IdempotencyHeaders.KEY, body)));
        }
        scheduler.shutdown();
    }
}
