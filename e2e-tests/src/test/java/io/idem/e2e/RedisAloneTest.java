package io.idem.e2e;

import static io.idem.workshop.process.Money.freshKey;
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

/** The guarantees of Redis without the inbox, and their limits. */
@Tag("extended")
class RedisAloneTest {

    private static final String SCOPE = "payments";
    private static final World WORLD = World.shared();

    private final Team team = WORLD.payments(Protection.REDIS_ALONE);

    @Test
    void killedBeforeItsCommitAWorkerIsReplacedAndThePaymentIsMadeOnce() {
        String key = freshKey("redis-killed");
        Effects effects = Effects.of(WORLD, key);
        team.trap(Point.WORKING, SCOPE, key);
        effects.pay(4000);
        Application victim = team.caught();

        team.kill(victim);

        effects.awaitCompleted(SCOPE);
        Effects.settleRabbit(WORLD);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    @Test
    void killedBetweenCommitAndCompleteThePaymentIsMadeTwiceButItsEventActsOnce() {
        String key = freshKey("redis-committed");
        Effects effects = Effects.of(WORLD, key);
        WORLD.events();
        team.trap(Point.COMMITTED, SCOPE, key);
        effects.pay(4100);
        Application victim = team.caught();
        assertThat(effects.ledgerRows()).isEqualTo(1);

        team.kill(victim);

        effects.awaitCompleted(SCOPE);
        effects.await("receipts");
        effects.await("risk_checks");
        Effects.settleRabbit(WORLD);
        assertThat(effects.ledgerRows())
                .as("the window that only the inbox closes; both events carry the same key")
                .isEqualTo(2);
        assertThat(effects.rows("receipts")).isEqualTo(1);
        assertThat(effects.rows("risk_checks")).isEqualTo(1);
    }

    @Test
    void aWorkerThatOutlivesItsLeaseBeforeItsCommitRefusesToCommit() {
        String key = freshKey("redis-zombie");
        Effects effects = Effects.of(WORLD, key);
        team.trap(Point.WORKING, SCOPE, key);
        effects.pay(4200);
        Application zombie = team.caught();
        zombie.process().sigstop();
        RawRecord completed = effects.awaitCompleted(SCOPE);

        zombie.process().sigcont();
        zombie.release();

        team.awaitLogged(SCOPE, key, What.LOST);
        Effects.settleRabbit(WORLD);
        assertThat(effects.record(SCOPE)).isEqualTo(completed);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }
}
