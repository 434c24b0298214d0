package io.idem.e2e;

import static io.idem.workshop.process.Money.freshKey;
import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.child.Point;
import io.idem.workshop.process.Effects;
import io.idem.workshop.process.Team;
import io.idem.workshop.process.World;
import io.idem.workshop.process.World.Protection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A worker is killed with SIGKILL while only Redis protects its payment; the takeover policy decides what happens next.
 */
@Tag("extended")
class UnknownOutcomeTest {

    private static final String SCOPE = "payments";
    private static final World WORLD = World.shared();

    @ParameterizedTest
    @EnumSource(names = {"WORKING", "COMMITTED"})
    void aReconcilerFindsOutWhetherThePaymentWasMadeAndItIsMadeOnce(Point point) {
        Effects effects = killed(WORLD.payments(Protection.RECONCILED), point, "reconciled-" + point);

        assertThat(effects.awaitCompleted(SCOPE).attempts()).isEqualTo(2);
        Effects.settleRabbit(WORLD);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    @Test
    void aPaymentOfUnknownOutcomeIsLeftToAPersonAndNotMadeAgain() {
        Effects effects = killed(WORLD.payments(Protection.REJECTED), Point.COMMITTED, "rejected");

        waitUntil("the payment is rejected as unknown")
                .until(() -> effects.record(SCOPE).state().equals("REJECTED"));
        Effects.settleRabbit(WORLD);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    private static Effects killed(Team team, Point point, String name) {
        String key = freshKey(name);
        Effects effects = Effects.of(WORLD, key);
        team.trap(point, SCOPE, key);
        effects.pay(4400);
        team.kill(team.caught());
        return effects;
    }
}
