package io.idem.e2e;

import static io.idem.workshop.process.Money.cents;
import static io.idem.workshop.process.Money.freshKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.process.Effects;
import io.idem.workshop.process.Messages;
import io.idem.workshop.process.Team;
import io.idem.workshop.process.World;
import io.idem.workshop.process.World.Protection;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages whose key is leased elsewhere; the test writes the lease into Redis as another worker would. */
@Tag("extended")
class BusyTest {

    private static final Duration ELSEWHERE = Duration.ofSeconds(4);
    private static final int BOUNDED = 20;
    private static final World WORLD = World.shared();

    @Test
    void onRabbitMqTheMessageIsDeferredUntilTheLeaseEnds() {
        Team team = WORLD.payments(Protection.INBOX);
        int deadLetters = WORLD.queues().depth(Messages.DEAD_PAYMENTS);
        String key = freshKey("busy");
        Effects effects = Effects.of(WORLD, key);
        WORLD.records().plantLease("north", key, "payments", ELSEWHERE);
        long leaseEnds = effects.record("payments").at();

        Messages.publishPayment(WORLD, Messages.headers("north", key), cents(7000));

        assertDeferred(team, effects, "payments", key, leaseEnds);
        Effects.settleRabbit(WORLD);
        assertThat(WORLD.queues().depth(Messages.DEAD_PAYMENTS)).isEqualTo(deadLetters);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    @Test
    void onKafkaTheRecordIsDeferredUntilTheLeaseEnds() {
        Team team = WORLD.events();
        String key = freshKey("busy-kafka");
        Effects effects = Effects.of(WORLD, key);
        WORLD.records().plantLease("north", key, "payouts", ELSEWHERE);
        long leaseEnds = effects.record("payouts").at();

        Messages.publishPayout(WORLD, Messages.headers("north", key), cents(7100));

        assertDeferred(team, effects, "payouts", key, leaseEnds);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    private static void assertDeferred(Team team, Effects effects, String scope, String key, long leaseEnds) {
        var completed = effects.awaitCompleted(scope);
        assertThat(completed.attempts()).isEqualTo(2);
        // The fence is the time of the grant in microseconds, by the clock of Redis.
        assertThat(completed.fence()).isGreaterThanOrEqualTo(leaseEnds * 1000);
        assertThat(team.answered(scope, key, "INPROGRESS")).isBetween(1L, (long) BOUNDED);
    }
}
