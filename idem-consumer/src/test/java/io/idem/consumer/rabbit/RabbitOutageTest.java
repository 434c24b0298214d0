package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.CountedQuestions;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ShortPauses;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;

/** Redis goes away and comes back; nobody does anything about it. */
class RabbitOutageTest extends RabbitScenario {

    private static final int MESSAGES = 5;

    private static RunningRedis redis;

    @BeforeAll
    static void startRedis() {
        redis = RedisServers.start(ServerOptions.own());
    }

    @AfterAll
    static void closeRedis() {
        redis.close();
    }

    @AfterEach
    void leaveRedisRunning() {
        redis.start();
    }

    private void launchFor(String mode) {
        boolean manual = mode.endsWith("manual");
        String container = mode.replace("-manual", "");
        launch(
                List.of(
                        manual ? ManualListeners.class : AutoListeners.class,
                        CountedQuestions.class,
                        ShortPauses.class),
                "test.store=redis",
                "spring.rabbitmq.listener.type=" + container,
                "spring.rabbitmq.listener." + container + ".acknowledge-mode=" + (manual ? "manual" : "auto"),
                "idem.redis.url=" + redis.uri(),
                "idem.redis.retry-budget=200ms",
                "idem.consumer.in-place-wait=100ms");
    }

    private long handedBack() {
        return log().count(EventLog.HAND_BACK) + log().count(EventLog.REJECT);
    }

    /** As often as there are messages: with a delivery limit, none of it is used up. */
    @ParameterizedTest
    @ValueSource(strings = {"simple", "direct-manual"})
    void messagesThatComeWhileTheStoreIsAwayAreHeldAndRunOnceWhenItIsBack(String mode) {
        launchFor(mode);
        redis.stop();
        IntStream.range(0, MESSAGES).forEach(i -> send(UUID.randomUUID().toString(), "m" + i));
        awaitUntil(() -> !events(ConsumerEvent.Paused.class).isEmpty());
        int asked = app().bean(CountedQuestions.class).count();
        awaitUntil(() -> app().bean(CountedQuestions.class).count() >= asked + 5);

        redis.start();
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == MESSAGES);

        assertThat(script().bodies(PAYMENTS)).hasSize(MESSAGES).doesNotHaveDuplicates();
        assertThat(log().count(EventLog.DELIVERY)).isEqualTo(MESSAGES);
        assertThat(handedBack()).isZero();
        assertThat(events(ConsumerEvent.Deferred.class)).isEmpty();
        assertThat(events(ConsumerEvent.Resumed.class)).isNotEmpty();
    }

    @Test
    @Tag("extended")
    void aContainerStoppedInAnOutageHandsItsMessagesBackAndStaysStopped() {
        launchFor("simple");
        redis.stop();
        send(UUID.randomUUID().toString(), "one");
        awaitUntil(() -> !events(ConsumerEvent.Paused.class).isEmpty());

        app().bean(RabbitListenerEndpointRegistry.class).stop();

        awaitUntil(() -> app().ready(PAYMENTS) == 1);
        redis.start();
        awaitUntil(() -> !events(ConsumerEvent.Resumed.class).isEmpty());
        assertThat(app().bean(RabbitListenerEndpointRegistry.class).getListenerContainers())
                .noneMatch(container -> container.isRunning());
        assertThat(script().calls()).isEmpty();
    }
}
