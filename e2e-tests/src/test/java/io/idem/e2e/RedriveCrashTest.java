package io.idem.e2e;

import static io.idem.workshop.process.Money.freshKey;
import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.child.OperatorMain;
import io.idem.workshop.child.Point;
import io.idem.workshop.outside.HttpProbe;
import io.idem.workshop.outside.Reply;
import io.idem.workshop.process.Application;
import io.idem.workshop.process.Effects;
import io.idem.workshop.process.Messages;
import io.idem.workshop.process.Team;
import io.idem.workshop.process.Tenant;
import io.idem.workshop.process.World;
import io.idem.workshop.process.World.Protection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An application that redrives a dead letter is killed between the broker's confirm and its acknowledgement. */
@Tag("extended")
class RedriveCrashTest {

    private static final String SCOPE = "payments";
    private static final World WORLD = World.shared();

    @Test
    void theMessageIsInBothQueuesAndThePaymentIsMadeOnce() {
        String key = freshKey("redriven");
        Effects effects = Effects.of(WORLD, key);
        rejectUnpaid(key, effects);

        try (Application victim = operator()) {
            victim.set(Point.LETTER_COPIED, "", "");
            CompletableFuture<Reply> unanswered = redrive(victim, key);
            waitUntil("the copy is confirmed").until(victim::caught);
            victim.process().kill9();
            waitUntil("the call has failed").until(unanswered::isCompletedExceptionally);
        }

        effects.awaitCompleted(SCOPE);
        Effects.settleRabbit(WORLD);
        assertThat(effects.ledgerRows()).isEqualTo(1);
        try (Application next = operator()) {
            assertThat(redrive(next, key).join().text()).contains("\"found\":\"completed\"", "\"done\":false");
        }
        awaitLetter(key);
        assertThat(effects.ledgerRows()).isEqualTo(1);
    }

    /** Produces a payment that is rejected because its worker was killed and might have paid; it had not. */
    private static void rejectUnpaid(String key, Effects effects) {
        Team team = WORLD.payments(Protection.REJECTED);
        team.trap(Point.GRANTED, SCOPE, key);
        effects.pay(4500);
        team.kill(team.caught());
        waitUntil("the payment is rejected as unknown")
                .until(() -> effects.record(SCOPE).state().equals("REJECTED"));
        assertThat(effects.ledgerRows()).isZero();
    }

    private static Application operator() {
        Map<String, String> settings = new LinkedHashMap<>(WORLD.settings());
        settings.put("server.address", "127.0.0.1");
        settings.put("server.port", "0");
        return Application.start("operator", OperatorMain.class, settings);
    }

    private static CompletableFuture<Reply> redrive(Application operator, String key) {
        String order = """
                {"action": "redrive", "tenant": "%s", "key": "%s", "scope": "%s", "from": "%s", "transport": "rabbit",
                 "reason": "not in the ledger, ticket 7"}
                """.formatted(Tenant.NORTH.name(), key, SCOPE, Messages.DEAD_PAYMENTS);
        return new HttpProbe(operator.awaitUp().http())
                .postAsync("/actuator/idempotency", Map.of("Content-Type", "application/json"), order);
    }

    private static void awaitLetter(String key) {
        Messages.awaitDeadPayment(
                WORLD,
                key,
                letter ->
                        key.equals(String.valueOf(letter.getProps().getHeaders().get("x-idempotency-key"))));
    }
}
