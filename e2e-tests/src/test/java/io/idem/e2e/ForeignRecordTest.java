package io.idem.e2e;

import static io.idem.workshop.process.Money.PAYMENTS;
import static io.idem.workshop.process.Money.cents;
import static io.idem.workshop.process.Money.freshKey;
import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.outside.RecordProbe;
import io.idem.workshop.outside.Reply;
import io.idem.workshop.process.Effects;
import io.idem.workshop.process.Messages;
import io.idem.workshop.process.Team;
import io.idem.workshop.process.Tenant;
import io.idem.workshop.process.World;
import io.idem.workshop.process.World.Protection;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Foreign data under the name of a record. */
@Tag("extended")
class ForeignRecordTest {

    private static final byte[] TEXT = "somebody else's".getBytes(StandardCharsets.US_ASCII);
    private static final int UNAVAILABLE = 503;
    private static final World WORLD = World.shared();

    @Test
    void theIntakeTurnsTheRequestAwayAndLeavesTheForeignValueAlone() {
        String key = freshKey("foreign");
        WORLD.records().plant("north", key, World.INTAKE_SCOPE, TEXT);
        byte[] before = WORLD.records().dump("north", key, World.INTAKE_SCOPE);

        Reply reply = Tenant.NORTH.post(WORLD.http(), PAYMENTS, key, cents(10_000));

        assertThat(reply.status()).isEqualTo(UNAVAILABLE);
        assertThat(reply.header("content-type")).contains("application/problem+json");
        assertThat(reply.json().path("type").asString()).endsWith("record-unreadable");
        assertThat(WORLD.records().dump("north", key, World.INTAKE_SCOPE)).isEqualTo(before);
    }

    @Test
    void onRabbitMqTheMessageWaitsUntilSomebodyHasClearedIt() {
        Team team = WORLD.payments(Protection.INBOX);
        String key = freshKey("foreign-payment");
        Effects effects = Effects.of(WORLD, key);
        WORLD.records().plantList("north", key, "payments");

        Messages.publishPayment(WORLD, Messages.headers("north", key), cents(10_100));

        waitUntil("a worker complains").until(() -> team.output().contains(recordName("payments", key)));
        assertThat(effects.ledgerRows()).isZero();
        WORLD.records().remove("north", key, "payments");
        effects.awaitCompleted("payments");
        Effects.settleRabbit(WORLD);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    @Test
    void onKafkaTheRecordWaitsUntilSomebodyHasClearedIt() {
        Team team = WORLD.events();
        String key = freshKey("foreign-payout");
        Effects effects = Effects.of(WORLD, key);
        WORLD.records().plant("north", key, "payouts", TEXT);

        Messages.publishPayout(WORLD, Messages.headers("north", key), cents(10_200));

        waitUntil("a worker complains").until(() -> team.output().contains(recordName("payouts", key)));
        assertThat(effects.ledgerRows()).isZero();
        WORLD.records().remove("north", key, "payouts");
        effects.awaitCompleted("payouts");
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    private static String recordName(String scope, String key) {
        return scope + "/" + RecordProbe.keyId("north", key);
    }
}
