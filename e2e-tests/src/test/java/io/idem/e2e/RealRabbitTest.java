package io.idem.e2e;

import static io.idem.workshop.process.Money.freshKey;
import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import io.idem.servers.junit.RequiresRabbitMq;
import io.idem.workshop.child.Point;
import io.idem.workshop.child.QuorumWorkerMain;
import io.idem.workshop.outside.RawRecord;
import io.idem.workshop.process.Application;
import io.idem.workshop.process.Effects;
import io.idem.workshop.process.Messages;
import io.idem.workshop.process.World;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The features of RabbitMQ alone: quorum queues that count deliveries and dead-letter messages delivered too often. */
@RequiresRabbitMq
@Tag("extended")
class RealRabbitTest {

    private static final String SCOPE = "quorum";
    private static final int DELIVERY_LIMIT = 3;
    private static final Duration ELSEWHERE = Duration.ofSeconds(8);

    private static final World WORLD = World.shared();
    private static final String QUEUE = "e2e.quorum-" + UUID.randomUUID();
    private static final String DEAD = QUEUE + ".dead";
    private static Application worker = Application.start("quorum", QuorumWorkerMain.class, settings());

    @BeforeAll
    static void declare() {
        WORLD.ledger().execute("CREATE TABLE quorum_rows (tenant text, idempotency_key text)");
        WORLD.queues().declareQuorum(DEAD, Map.of());
        WORLD.queues()
                .declareQuorum(
                        QUEUE,
                        Map.of(
                                "x-delivery-limit", DELIVERY_LIMIT,
                                "x-dead-letter-exchange", "",
                                "x-dead-letter-routing-key", DEAD));
        worker.awaitUp();
    }

    @AfterAll
    static void remove() {
        worker.close();
        WORLD.queues().delete(QUEUE);
        WORLD.queues().delete(DEAD);
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>(WORLD.settings());
        settings.put("e2e.queue", QUEUE);
        settings.put("idem.jdbc.initialize-schema", "always");
        // Waits in place for longer than the lease elsewhere, because RabbitMQ before 4.3 counts every requeue
        // towards the delivery limit.
        settings.put("idem.consumer.in-place-wait", "12s");
        settings.put("spring.rabbitmq.listener.simple.default-requeue-rejected", "false");
        settings.put("spring.rabbitmq.listener.simple.missing-queues-fatal", "false");
        return settings;
    }

    @Test
    void aWorkerKilledBetweenGrantAndCommitIsReplacedAndTheWorkIsDoneOnce() {
        String key = freshKey("quorum-killed");
        Effects effects = Effects.of(WORLD, key);
        worker.set(Point.WORKED, SCOPE, key);
        publish(key, "taken");
        waitUntil("it is caught").until(worker::caught);
        assertThat(effects.rows("quorum_rows")).isZero();

        worker.process().kill9();
        worker = Application.start("quorum", QuorumWorkerMain.class, settings());

        assertThat(effects.awaitCompleted(SCOPE).attempts()).isEqualTo(2);
        assertThat(effects.rows("quorum_rows")).isEqualTo(1);
        assertThat(WORLD.queues().depth(DEAD)).isZero();
    }

    @Test
    void aBusyMessageWaitsInPlaceAndIsNotDeadLetteredByTheDeliveryLimit() {
        String key = freshKey("quorum-busy");
        Effects effects = Effects.of(WORLD, key);
        WORLD.records().plantLease("north", key, SCOPE, ELSEWHERE);
        long leaseEnds = effects.record(SCOPE).at();

        publish(key, "taken");

        RawRecord completed = effects.awaitCompleted(SCOPE);
        assertThat(completed.fence()).isGreaterThanOrEqualTo(leaseEnds * 1000);
        assertThat(effects.rows("quorum_rows")).isEqualTo(1);
        assertThat(WORLD.queues().depth(DEAD)).isZero();
    }

    @Test
    void aPoisonMessageIsDeadLetteredByTheBrokerWithItsKey() {
        String key = freshKey("quorum-poison");

        publish(key, QuorumWorkerMain.POISON);

        GetResponse dead = Objects.requireNonNull(
                waitUntil("a dead letter").until(() -> WORLD.queues().take(DEAD).orElse(null), Objects::nonNull));
        assertThat(dead.getBody()).asString(StandardCharsets.UTF_8).isEqualTo(QuorumWorkerMain.POISON);
        assertThat(dead.getProps().getHeaders()).containsKey("x-death");
        assertThat(dead.getProps().getHeaders().get("x-idempotency-key")).hasToString(key);
        assertThat(Effects.of(WORLD, key).record(SCOPE).state()).isEqualTo("FAILED");
        assertThat(Effects.of(WORLD, key).rows("quorum_rows")).isZero();
    }

    private static void publish(String key, String body) {
        WORLD.queues().publish("", QUEUE, Messages.headers("north", key), body);
    }
}
