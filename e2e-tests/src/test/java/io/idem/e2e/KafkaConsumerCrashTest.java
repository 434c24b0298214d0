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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A worker on Kafka is killed with SIGKILL at each point of its work; the inbox protects the ledger. */
@Tag("extended")
class KafkaConsumerCrashTest {

    private static final String SCOPE = "payouts";
    private static final String TOPIC = "payouts.requested";
    private static final World WORLD = World.shared();

    private final Team team = WORLD.events();

    @Test
    void killedBetweenGrantAndCommitItIsReplacedAndThePayoutIsMadeOnce() {
        String key = freshKey("killed");
        Effects effects = Effects.of(WORLD, key);
        team.trap(Point.WORKED, SCOPE, key);
        effects.payOut(3000);
        Application victim = team.caught();
        assertThat(effects.ledgerRows()).isZero();

        team.kill(victim);

        assertThat(effects.awaitCompleted(SCOPE).attempts()).isEqualTo(2);
        awaitOffsetsCommitted();
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    @Test
    void killedBetweenCommitAndCompleteTheInboxKnowsThePayout() {
        String key = freshKey("committed");
        Effects effects = Effects.of(WORLD, key);
        team.trap(Point.COMMITTED, SCOPE, key);
        effects.payOut(3100);
        Application victim = team.caught();
        assertThat(effects.ledgerRows()).isEqualTo(1);

        team.kill(victim);

        effects.awaitCompleted(SCOPE);
        assertThat(team.log(SCOPE, key)).anyMatch(event -> event.what() == What.FOUND_IN_INBOX);
        awaitOffsetsCommitted();
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    @Test
    void killedBetweenCompleteAndItsOffsetTheRecordAnswers() {
        String key = freshKey("completed");
        Effects effects = Effects.of(WORLD, key);
        team.trap(Point.COMPLETED, SCOPE, key);
        effects.payOut(3200);
        Application victim = team.caught();
        RawRecord completed = effects.record(SCOPE);
        assertThat(completed.state()).isEqualTo("COMPLETED");
        assertThat(WORLD.topics().lag(SCOPE, TOPIC)).as("not acknowledged yet").isPositive();

        team.kill(victim);

        waitUntil("the redelivery is answered from the record").until(() -> team.answered(SCOPE, key, "REPLAY") == 1);
        awaitOffsetsCommitted();
        assertThat(effects.record(SCOPE)).isEqualTo(completed);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    private static void awaitOffsetsCommitted() {
        waitUntil("all payouts are acknowledged").until(() -> WORLD.topics().lag(SCOPE, TOPIC) == 0);
    }
}
