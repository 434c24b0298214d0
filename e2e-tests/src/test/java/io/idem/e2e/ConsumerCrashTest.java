package io.idem.e2e;

import static io.idem.workshop.process.Money.freshKey;
import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.demo.watch.WorkerEvent.What;
import io.idem.workshop.child.Point;
import io.idem.workshop.outside.RawRecord;
import io.idem.workshop.process.Application;
import io.idem.workshop.process.Effects;
import io.idem.workshop.process.Team;
import io.idem.workshop.process.World;
import io.idem.workshop.process.World.Protection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A worker on RabbitMQ is killed with SIGKILL at each point of its work; the inbox protects the ledger. */
@Tag("servers")
class ConsumerCrashTest {

    private static final String SCOPE = "payments";
    private static final World WORLD = World.shared();

    private final Team team = WORLD.payments(Protection.INBOX);

    @Test
    void killedBeforeItsCommitItIsReplacedAndThePaymentIsMadeOnce() {
        replacesAVictimOf(Point.WORKED);
    }

    @ParameterizedTest
    @EnumSource(names = {"GRANTED", "WORKING"})
    @Tag("extended")
    void killedBeforeItsWorkIsDoneItIsReplacedToo(Point point) {
        replacesAVictimOf(point);
    }

    private void replacesAVictimOf(Point point) {
        String key = freshKey("killed-" + point);
        Effects effects = Effects.of(WORLD, key);
        team.trap(point, SCOPE, key);
        effects.pay(2000);
        Application victim = team.caught();
        assertThat(effects.ledgerRows()).isZero();
        assertThat(effects.record(SCOPE).state()).isEqualTo("PENDING");

        team.kill(victim);

        assertThat(effects.awaitCompleted(SCOPE).attempts()).isEqualTo(2);
        Effects.settleRabbit(WORLD);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    @Test
    void afterAKillBeforeCompleteTheInboxPublishesThePaymentsEvent() {
        String key = freshKey("committed");
        Effects effects = Effects.of(WORLD, key);
        WORLD.events();
        team.trap(Point.COMMITTED, SCOPE, key);
        effects.pay(2100);
        Application victim = team.caught();
        assertThat(effects.ledgerRows()).isEqualTo(1);
        assertThat(WORLD.topics().records("payment.settled", "x-idempotency-root", key))
                .isEmpty();

        team.kill(victim);

        effects.awaitCompleted(SCOPE);
        effects.await("receipts");
        effects.await("risk_checks");
        assertThat(team.log(SCOPE, key)).anyMatch(event -> event.what() == What.FOUND_IN_INBOX);
        Effects.settleRabbit(WORLD);
        assertThat(effects.ledgerRows()).isEqualTo(1);
        assertThat(effects.rows("receipts")).isEqualTo(1);
        assertThat(effects.rows("risk_checks")).isEqualTo(1);
    }

    @Test
    void killedBetweenCompleteAndAcknowledgeItsMessageIsAnsweredFromTheRecord() {
        String key = freshKey("completed");
        Effects effects = Effects.of(WORLD, key);
        team.trap(Point.COMPLETED, SCOPE, key);
        effects.pay(2200);
        Application victim = team.caught();
        RawRecord completed = effects.record(SCOPE);
        assertThat(completed.state()).isEqualTo("COMPLETED");
        assertThat(team.answered(SCOPE, key, "REPLAY")).isZero();

        team.kill(victim);

        waitUntil("the redelivery is answered from the record").until(() -> team.answered(SCOPE, key, "REPLAY") == 1);
        awaitAcknowledged(key);
        assertThat(effects.record(SCOPE)).isEqualTo(completed);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    /**
     * Waits until a lost connection brings the message back no more. The acknowledgement follows the logged answer, so
     * a connection that is lost in between causes one more delivery.
     */
    private void awaitAcknowledged(String key) {
        waitUntil("the message is not delivered again").until(() -> {
            long answers = team.answered(SCOPE, key, "REPLAY");
            Effects.settleRabbit(WORLD);
            return team.answered(SCOPE, key, "REPLAY") == answers;
        });
    }
}
