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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A worker is stopped with SIGSTOP for longer than its lease, and continues after another one has done its work. */
@Tag("extended")
class ZombieTest {

    private static final World WORLD = World.shared();

    private final Team payments = WORLD.payments(Protection.INBOX);
    private final Team events = WORLD.events();

    @AfterEach
    void wakeUp() {
        payments.ready();
        events.ready();
    }

    @ParameterizedTest
    @EnumSource(names = {"GRANTED", "COMMITTED", "CONFIRMED"})
    void itsSettleIsRefusedAndTheRecordStaysAsItIs(Point point) {
        String key = freshKey("zombie-" + point);
        Effects effects = Effects.of(WORLD, key);
        payments.trap(point, "payments", key);
        effects.pay(5000);
        Application zombie = payments.caught();
        zombie.process().sigstop();
        RawRecord completed = effects.awaitCompleted("payments");
        assertThat(completed.attempts()).isEqualTo(2);

        zombie.process().sigcont();
        zombie.release();

        payments.awaitLogged("payments", key, What.LOST);
        Effects.settleRabbit(WORLD);
        assertThat(effects.record("payments")).isEqualTo(completed);
        assertThat(effects.ledgerRows()).isEqualTo(1);
        assertThat(effects.rows("receipts")).isLessThanOrEqualTo(1);
    }

    @Test
    void aStoppedTransactionHoldsUpItsSuccessorAndOneOfThemTakesEffect() {
        String key = freshKey("zombie-inside");
        Effects effects = Effects.of(WORLD, key);
        payments.trap(Point.WORKED, "payments", key);
        effects.pay(5100);
        Application zombie = payments.caught();
        zombie.process().sigstop();
        payments.awaitTakeover("payments", key);
        assertThat(effects.ledgerRows()).isZero();

        zombie.process().sigcont();
        zombie.release();

        effects.awaitCompleted("payments");
        Effects.settleRabbit(WORLD);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    @Test
    void onKafkaItsSettleIsRefusedToo() {
        String key = freshKey("zombie-kafka");
        Effects effects = Effects.of(WORLD, key);
        events.trap(Point.GRANTED, "payouts", key);
        effects.payOut(5200);
        Application zombie = events.caught();
        zombie.process().sigstop();
        RawRecord completed = effects.awaitCompleted("payouts");

        zombie.process().sigcont();
        zombie.release();

        events.awaitLogged("payouts", key, What.LOST);
        assertThat(effects.record("payouts")).isEqualTo(completed);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }
}
