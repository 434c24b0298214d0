package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** Acknowledgements in Spring Boot's default mode, after each record, and by the listener. */
class AcknowledgementTest extends AcknowledgementContract {

    @Override
    Stream<AckMode> modes() {
        return Stream.of(AckMode.BATCH, AckMode.RECORD, AckMode.MANUAL, AckMode.MANUAL_IMMEDIATE);
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    void whatTheListenerAcknowledgesBeforeItFailsIsNotCommitted(AckMode mode) {
        List<Long> committedAtRetry = new CopyOnWriteArrayList<>();
        try (KafkaTestApplication application = start(mode)) {
            AtomicInteger failures = new AtomicInteger(1);
            application.bean(Listeners.Manual.class).does(acknowledgment -> {
                committedAtRetry.add(application.committed());
                acknowledgment.acknowledge();
                failIf(failures);
            });
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(committedAtRetry).containsExactly(-1L, -1L);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    void aRecordThatTheListenerGivesBackComesAgainAndRunsAgain(AckMode mode) {
        try (KafkaTestApplication application = start(mode)) {
            AtomicInteger refusals = new AtomicInteger(1);
            application.bean(Listeners.Manual.class).does(acknowledgment -> {
                if (refusals.getAndDecrement() > 0) {
                    acknowledgment.nack(Duration.ofMillis(10));
                } else {
                    acknowledgment.acknowledge();
                }
            });
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(application.journal().entries()).containsExactly("one", "one");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    void whatTheListenerSaysOnAnotherThreadReachesTheContainerOnItsConsumers(AckMode mode) {
        try (KafkaTestApplication application = start(mode)) {
            AtomicInteger refusals = new AtomicInteger(1);
            application
                    .bean(Listeners.Manual.class)
                    .does(acknowledgment -> CompletableFuture.runAsync(() -> {
                                if (refusals.getAndDecrement() > 0) {
                                    acknowledgment.nack(Duration.ofMillis(10));
                                } else {
                                    acknowledgment.acknowledge();
                                }
                            })
                            .join());
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(application.journal().entries()).containsExactly("one", "one");
        }
    }
}
