package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.CountedQuestions;
import io.idem.consumer.contract.RefusedWrites;
import io.idem.consumer.contract.ShortPauses;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Redis answers what is read and refuses what is written. */
class RabbitRefusedWritesTest extends RabbitScenario {

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
    void writesAreTaken() {
        RefusedWrites.end(redis);
    }

    private void launchWith(String... settings) {
        Stream<String> fixed = Stream.of(
                "test.store=redis",
                "idem.redis.url=" + redis.uri(),
                "idem.redis.retry-budget=200ms",
                "idem.consumer.in-place-wait=100ms");
        launch(
                List.of(AutoListeners.class, CountedQuestions.class, ShortPauses.class, RefusedWrites.Meters.class),
                Stream.concat(fixed, Stream.of(settings)).toArray(String[]::new));
    }

    private void awaitPaid(String... bodies) {
        awaitUntil(() -> script().bodies(PAYMENTS).equals(List.of(bodies)));
    }

    @Test
    void anOutageLastsUntilAMessageWasDecided() throws Exception {
        assertOneOutage("CONFIG SET maxmemory 1", "raise maxmemory");
    }

    @Tag("extended")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CONFIG SET min-replicas-to-write 1 | bring replicas back",
                "REPLICAOF 127.0.0.1 1 | READONLY",
                "ACL SETUSER default -evalsha -eval | NOPERM"
            })
    void whateverTheReasonItIsOneOutage(String refusal, String cause) throws Exception {
        assertOneOutage(refusal, cause);
    }

    private void assertOneOutage(String refusal, String cause) throws Exception {
        launchWith();
        try (RefusedWrites refused = new RefusedWrites(redis, app(), "rabbit")) {
            refused.begin(refusal);
            send(UUID.randomUUID().toString(), "held");
            refused.watch();

            refused.assertToldOnce(cause);
            refused.assertAlertFires();
            assertThat(script().calls()).isEmpty();
            assertThat(events(ConsumerEvent.Deferred.class)).isEmpty();
            refused.end();
            awaitPaid("held");
            assertThat(app().stopAndCountUnsettled()).isZero();
        }
    }

    /** One consumer holds a message that would run; the other one goes on. */
    @Test
    void duplicatesDoNotWaitForAMessageThatIsHeld() {
        launchWith("spring.rabbitmq.listener.simple.concurrency=2", "spring.rabbitmq.listener.simple.prefetch=1");
        String done = UUID.randomUUID().toString();
        send(done, "done");
        try (RefusedWrites refused = new RefusedWrites(redis, app(), "rabbit")) {
            refused.awaitDone(done);
            refused.begin("CONFIG SET min-replicas-to-write 1");
            send(UUID.randomUUID().toString(), "held");
            refused.watch();

            for (int i = 0; i < 5; i++) {
                send(done, "done");
            }
            awaitUntil(() -> events(ConsumerEvent.Duplicate.class).size() == 5);

            refused.watch();
            refused.assertToldOnce("");
            refused.end();
            awaitPaid("done", "held");
            assertThat(app().stopAndCountUnsettled()).isZero();
        }
    }
}
