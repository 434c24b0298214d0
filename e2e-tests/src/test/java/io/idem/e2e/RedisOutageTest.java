package io.idem.e2e;

import static io.idem.workshop.process.Money.PAYMENTS;
import static io.idem.workshop.process.Money.cents;
import static io.idem.workshop.process.Money.freshKey;
import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.outside.Reply;
import io.idem.workshop.process.Effects;
import io.idem.workshop.process.Load;
import io.idem.workshop.process.Messages;
import io.idem.workshop.process.Tenant;
import io.idem.workshop.process.World;
import io.idem.workshop.process.World.Protection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis stops under load and starts again with its data. */
@Tag("servers")
class RedisOutageTest {

    private static final int PAYMENTS_BEFORE = 20;
    private static final int PAYMENTS_IN_ALL = 80;
    private static final int UNAVAILABLE = 503;
    private static final World WORLD = World.shared();

    @BeforeEach
    void workersAreUp() {
        WORLD.payments(Protection.INBOX);
        WORLD.events();
    }

    @AfterEach
    void redisIsBack() {
        WORLD.redis().start();
    }

    @Test
    void requestsAreTurnedAwayAndNothingIsLostOrDoubled() {
        int deadLetters = WORLD.queues().depth(Messages.DEAD_PAYMENTS);
        try (Load load = Load.of(WORLD.http(), PAYMENTS_IN_ALL)) {
            load.awaitAccepted(PAYMENTS_BEFORE);

            WORLD.redis().stop();
            Reply turnedAway = Tenant.NORTH.post(WORLD.http(), PAYMENTS, freshKey("down"), cents(8000));
            WORLD.redis().start();

            assertThat(turnedAway.status()).isEqualTo(UNAVAILABLE);
            assertThat(turnedAway.header("retry-after")).isPresent();
            assertThat(turnedAway.header("content-type")).contains("application/problem+json");
            load.awaitAllAccepted();
            waitUntil("all are in the ledger").until(() -> load.ledger(WORLD).containsAll(load.keys()));
            Effects.settleRabbit(WORLD);
            assertThat(load.ledger(WORLD)).containsExactlyInAnyOrderElementsOf(load.keys());
            assertThat(WORLD.queues().depth(Messages.DEAD_PAYMENTS)).isEqualTo(deadLetters);
        }
    }

    @Test
    void messagesThatComeMeanwhileWaitAndTheConsumersGoOnByThemselves() {
        String payment = freshKey("down-payment");
        String payout = freshKey("down-payout");
        WORLD.redis().kill();
        Messages.publishPayment(WORLD, Messages.headers("north", payment), cents(8100));
        Messages.publishPayout(WORLD, Messages.headers("north", payout), cents(8200));
        Reply turnedAway = Tenant.NORTH.post(WORLD.http(), PAYMENTS, freshKey("killed"), cents(8300));
        assertThat(turnedAway.status()).isEqualTo(UNAVAILABLE);
        assertThat(Effects.of(WORLD, payment).ledgerRows()).isZero();
        assertThat(Effects.of(WORLD, payout).ledgerRows()).isZero();

        WORLD.redis().start();

        Effects.of(WORLD, payment).awaitCompleted("payments");
        Effects.of(WORLD, payout).awaitCompleted("payouts");
        Effects.settleRabbit(WORLD);
        assertThat(Effects.of(WORLD, payment).ledgerRows()).isEqualTo(1);
        assertThat(Effects.of(WORLD, payout).ledgerRows()).isEqualTo(1);
    }
}
