package io.idem.consumer.kafka;

import static io.idem.consumer.contract.ConsumerApplication.FOR_BOTH;
import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.ContractConfiguration.CollectedEvents;
import io.idem.consumer.contract.CountedQuestions;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.RefusedWrites;
import io.idem.consumer.contract.ShortPauses;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis answers what is read and refuses what is written. */
@Tag("servers")
class KafkaRefusedWritesTest {

    private final RunningRedis redis = RedisServers.start(ServerOptions.own());
    private final KafkaContractApplication app = KafkaContractApplication.start(
            List.of(AutoListeners.class, CountedQuestions.class, ShortPauses.class, RefusedWrites.Meters.class),
            "test.store=redis",
            "spring.kafka.listener.poll-timeout=100ms",
            "idem.redis.url=" + redis.uri(),
            "idem.redis.retry-budget=200ms");

    @AfterEach
    void close() {
        app.close();
        redis.close();
    }

    private void send(String key, String body) {
        app.send(body, Map.of(IdempotencyHeaders.KEY, key));
    }

    private List<String> paid() {
        return app.bean(ListenerScript.class).bodies(PAYMENTS);
    }

    private long duplicates() {
        return app.bean(CollectedEvents.class).of(ConsumerEvent.Duplicate.class).stream()
                .filter(duplicate -> duplicate.scope().name().equals(PAYMENTS))
                .count();
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        await().atMost(Duration.ofMinutes(2)).until(condition);
    }

    /** The record that would run holds its own partition; the duplicates are in another one. */
    @Test
    void anOutageLastsUntilAMessageWasDecidedAndDuplicatesElsewhereDoNotWait() throws Exception {
        String done = UUID.randomUUID().toString();
        send(done, FOR_BOTH);
        try (RefusedWrites refused = new RefusedWrites(redis, app, "kafka")) {
            refused.awaitDone(done);
            refused.begin("CONFIG SET maxmemory 1");
            send(UUID.randomUUID().toString(), "held");
            refused.watch();

            send(done, FOR_BOTH);
            send(done, FOR_BOTH);
            awaitUntil(() -> duplicates() == 2);

            refused.watch();
            refused.assertToldOnce("raise maxmemory");
            refused.assertAlertFires();
            refused.end();
            awaitUntil(() -> paid().size() == 2);
            assertThat(paid()).containsExactly(FOR_BOTH, "held");
            assertThat(app.stopAndCountUnsettled()).isZero();
            assertThat(app.deadLetters()).isEmpty();
        }
    }
}
