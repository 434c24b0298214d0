package io.idem.e2e;

import static io.idem.workshop.process.Money.freshKey;
import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import io.idem.workshop.child.Point;
import io.idem.workshop.outside.TopicProbe;
import io.idem.workshop.process.Application;
import io.idem.workshop.process.Effects;
import io.idem.workshop.process.Team;
import io.idem.workshop.process.World;
import io.idem.workshop.process.World.Protection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The path of one key from the request through RabbitMQ to Kafka and to two consumers there. */
@Tag("servers")
class FanOutTest {

    private static final String KEY = "x-idempotency-key";
    private static final String ROOT = "x-idempotency-root";
    private static final String TENANT = "x-idempotency-tenant";
    private static final World WORLD = World.shared();

    private final Team team = WORLD.payments(Protection.INBOX);

    @BeforeEach
    void consumersOfEventsAreUp() {
        WORLD.events();
    }

    @Test
    void theMessageCarriesTheClientsKeyAndTheEventADerivedOne() {
        String copies = WORLD.queues().bindCopyOf("payments", "payment.requested");
        String key = freshKey("propagated");
        Effects effects = Effects.of(WORLD, key);

        effects.pay(6000);

        effects.await("receipts");
        Map<String, Object> message = takeCopy(copies, key).getProps().getHeaders();
        assertThat(message.get(KEY)).hasToString(key);
        assertThat(message.get(ROOT)).hasToString(key);
        assertThat(message.get(TENANT)).hasToString("north");
        List<ConsumerRecord<byte[], byte[]>> published = eventsOf(key);
        assertThat(published).hasSize(1);
        assertThat(TopicProbe.text(published.get(0), KEY)).isPresent().isNotEqualTo(Optional.of(key));
        assertThat(TopicProbe.text(published.get(0), TENANT)).contains("north");
    }

    @Test
    void aSecondAttemptPublishesUnderTheSameKeyAndBothConsumersActOnce() {
        String key = freshKey("published-twice");
        Effects effects = Effects.of(WORLD, key);
        team.trap(Point.CONFIRMED, "payments", key);
        effects.pay(6100);
        Application victim = team.caught();
        assertThat(eventsOf(key)).hasSize(1);

        team.kill(victim);

        effects.awaitCompleted("payments");
        assertThat(eventsOf(key)).hasSize(2);
        assertThat(eventsOf(key))
                .extracting(event -> TopicProbe.text(event, KEY).orElseThrow())
                .containsOnly(TopicProbe.text(eventsOf(key).get(0), KEY).orElseThrow());
        effects.await("receipts");
        effects.await("risk_checks");
        waitUntil("both copies are acknowledged").until(() -> lag("receipts") + lag("risk") == 0);
        assertThat(effects.rows("receipts")).isEqualTo(1);
        assertThat(effects.rows("risk_checks")).isEqualTo(1);
    }

    private static long lag(String group) {
        return WORLD.topics().lag(group, "payment.settled");
    }

    private static List<ConsumerRecord<byte[], byte[]>> eventsOf(String key) {
        return WORLD.topics().records("payment.settled", ROOT, key);
    }

    private static GetResponse takeCopy(String queue, String key) {
        return Objects.requireNonNull(waitUntil("a copy of the message")
                .until(
                        () -> WORLD.queues().take(queue).orElse(null),
                        copy -> copy != null
                                && key.equals(String.valueOf(
                                        copy.getProps().getHeaders().get(KEY)))));
    }
}
