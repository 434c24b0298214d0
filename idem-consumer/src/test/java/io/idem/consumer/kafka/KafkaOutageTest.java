package io.idem.consumer.kafka;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.ContractConfiguration.CollectedEvents;
import io.idem.consumer.contract.CountedQuestions;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.ShortPauses;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Redis goes away and comes back; nobody does anything about it. */
@Tag("servers")
class KafkaOutageTest {

    private static final int MESSAGES = 5;

    private static RunningRedis redis;

    private KafkaContractApplication app;

    @BeforeAll
    static void startRedis() {
        redis = RedisServers.start(ServerOptions.own());
    }

    @AfterAll
    static void closeRedis() {
        redis.close();
    }

    @BeforeEach
    void launch() {
        app = KafkaContractApplication.start(
                List.of(AutoListeners.class, CountedQuestions.class, ShortPauses.class),
                "test.store=redis",
                "spring.kafka.listener.poll-timeout=100ms",
                "idem.redis.url=" + redis.uri(),
                "idem.redis.retry-budget=200ms");
    }

    @AfterEach
    void close() {
        app.close();
        redis.start();
    }

    private void send(String body) {
        app.send(body, Map.of(IdempotencyHeaders.KEY, UUID.randomUUID().toString()));
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        await().atMost(Duration.ofMinutes(2)).until(condition);
    }

    private boolean told(Class<? extends ConsumerEvent> event) {
        return !app.bean(CollectedEvents.class).of(event).isEmpty();
    }

    private List<String> paid() {
        return app.bean(ListenerScript.class).bodies(PAYMENTS);
    }

    /** The first record finds out that the store is away, and comes once more when it is back. */
    @Test
    void recordsThatComeInAnOutageRunOnceWhenItIsOver() {
        redis.stop();
        IntStream.range(0, MESSAGES).forEach(i -> send("m" + i));
        awaitUntil(() -> told(ConsumerEvent.Paused.class));
        int asked = app.bean(CountedQuestions.class).count();
        awaitUntil(() -> app.bean(CountedQuestions.class).count() >= asked + 5);
        assertThat(app.bean(EventLog.class).count(EventLog.DELIVERY)).isEqualTo(1);

        redis.start();
        awaitUntil(() -> paid().size() >= MESSAGES);

        assertThat(app.stopAndCountUnsettled()).isZero();
        assertThat(paid()).containsExactly("m0", "m1", "m2", "m3", "m4");
        assertThat(app.bean(EventLog.class).count(EventLog.DELIVERY)).isEqualTo(MESSAGES + 1);
        assertThat(told(ConsumerEvent.Resumed.class)).isTrue();
        assertThat(app.deadLetters()).isEmpty();
    }

    @Test
    @Tag("extended")
    void whatTheApplicationPausedItselfStaysPaused() {
        awaitUntil(() -> assigned().size() == 2);
        TopicPartition before = assigned().stream()
                .filter(partition -> partition.topic().endsWith(".both"))
                .findFirst()
                .orElseThrow();
        consumer().pausePartition(before);
        redis.stop();
        send("one");
        awaitUntil(() -> told(ConsumerEvent.Paused.class));
        container().pause();
        awaitUntil(container()::isContainerPaused);

        redis.start();
        awaitUntil(() -> told(ConsumerEvent.Resumed.class));
        awaitUntil(() -> assigned().stream()
                        .filter(consumer()::isPartitionPauseRequested)
                        .count()
                == 1);
        assertThat(container().isPauseRequested()).isTrue();
        assertThat(paid()).isEmpty();
        container().resume();
        awaitUntil(() -> paid().equals(List.of("one")));
        assertThat(consumer().isPartitionPauseRequested(before)).isTrue();
    }

    private Collection<TopicPartition> assigned() {
        return requireNonNull(consumer().getAssignedPartitions());
    }

    private MessageListenerContainer consumer() {
        return container().getContainers().get(0);
    }

    private ConcurrentMessageListenerContainer<?, ?> container() {
        return app.bean(KafkaListenerEndpointRegistry.class).getListenerContainers().stream()
                .map(container -> (ConcurrentMessageListenerContainer<?, ?>) container)
                .filter(container -> requireNonNull(container.getGroupId()).endsWith(".payments"))
                .findFirst()
                .orElseThrow();
    }
}
