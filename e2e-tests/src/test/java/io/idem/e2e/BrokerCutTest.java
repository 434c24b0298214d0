package io.idem.e2e;

import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.process.Effects;
import io.idem.workshop.process.Load;
import io.idem.workshop.process.Messages;
import io.idem.workshop.process.World;
import io.idem.workshop.process.World.Protection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The connections of intake and workers to the AMQP broker break under load. */
@Tag("extended")
class BrokerCutTest {

    private static final int PAYMENTS = 80;
    private static final int BETWEEN_CUTS = 15;
    private static final World WORLD = World.shared();

    @AfterEach
    void networkIsBack() {
        WORLD.amqpProxy().pass();
    }

    @Test
    void nothingIsLostAndNothingDoubled() {
        WORLD.payments(Protection.INBOX);
        int deadLetters = WORLD.queues().depth(Messages.DEAD_PAYMENTS);
        try (Load load = Load.of(WORLD.http(), PAYMENTS)) {
            for (int accepted = BETWEEN_CUTS; accepted < PAYMENTS; accepted += BETWEEN_CUTS) {
                load.awaitAccepted(accepted);
                WORLD.amqpProxy().cut();
            }
            WORLD.amqpProxy().refuse();
            waitUntil("the ledger is as far as it gets")
                    .until(() -> WORLD.amqpProxy().connections() == 0);
            WORLD.amqpProxy().pass();

            load.awaitAllAccepted();
            waitUntil("all are in the ledger").until(() -> load.ledger(WORLD).containsAll(load.keys()));
            Effects.settleRabbit(WORLD);
            assertThat(load.ledger(WORLD)).containsExactlyInAnyOrderElementsOf(load.keys());
            assertThat(WORLD.queues().depth(Messages.DEAD_PAYMENTS)).isEqualTo(deadLetters);
        }
    }
}
