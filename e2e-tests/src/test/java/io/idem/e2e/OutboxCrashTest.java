package io.idem.e2e;

import static io.idem.workshop.process.Money.freshKey;
import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.child.Point;
import io.idem.workshop.child.ShopMain;
import io.idem.workshop.outside.HttpProbe;
import io.idem.workshop.outside.RecordProbe;
import io.idem.workshop.outside.Reply;
import io.idem.workshop.process.Application;
import io.idem.workshop.process.Waiting;
import io.idem.workshop.process.World;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A shop is killed with SIGKILL between its commit and its answer, and during the delivery of its message. */
@Tag("extended")
class OutboxCrashTest {

    private static final World WORLD = World.shared();
    private static final String SCOPE = "http.shop";
    private static final String TENANT = "default";

    private static Application shop = start();

    @BeforeAll
    static void createTables() {
        WORLD.ledger()
                .execute("CREATE TABLE IF NOT EXISTS shop_orders"
                        + " (number bigserial, tenant text, idempotency_key text)");
        WORLD.ledger()
                .execute("CREATE TABLE IF NOT EXISTS shop_deliveries"
                        + " (tenant text, idempotency_key text, message_id text)");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private static Application start() {
        Map<String, String> settings = new LinkedHashMap<>(WORLD.settings());
        settings.put("server.address", "127.0.0.1");
        settings.put("server.port", "0");
        settings.put("idem.http.tenant", "single");
        settings.put("idem.jdbc.initialize-schema", "always");
        settings.put("idem.jdbc.outbox.relay-after", "2s");
        return Application.start("shop", ShopMain.class, settings);
    }

    private static HttpProbe http() {
        return new HttpProbe(shop.awaitUp().http());
    }

    private static Map<String, String> headers(String key) {
        return Map.of("Idempotency-Key", key);
    }

    private static void killAndReplace() {
        shop.close();
        shop = start();
    }

    private static int orders(String key) {
        return WORLD.ledger().rows("shop_orders", TENANT, key);
    }

    private static int deliveries(String key) {
        return WORLD.ledger().rows("shop_deliveries", TENANT, key);
    }

    private static void assertDelivered(String key) {
        waitUntil("the message of " + key + " arrives").until(() -> deliveries(key) > 0);
        waitUntil("the row of " + key + " has nothing left to send")
                .until(() -> WORLD.ledger()
                        .select(
                                "SELECT count(*) FROM idem_record WHERE relay_at IS NOT NULL AND key_id = ?",
                                RecordProbe.keyId(TENANT, key))
                        .equals(List.of("0")));
        assertThat(deliveries(key)).isEqualTo(1);
        assertThat(orders(key)).isEqualTo(1);
        assertThat(WORLD.ledger().select("SELECT message_id FROM shop_deliveries WHERE idempotency_key = ?", key))
                .as("the message id is the operation's own, so that every copy is the same message")
                .containsExactly(RecordProbe.keyId(TENANT, key));
    }

    @Test
    void afterAKillBeforePublishTheMessageLeavesWithoutARetryOfTheClient() {
        String key = freshKey("outbox-committed");
        Application victim = shop;
        HttpProbe http = http();
        victim.set(Point.COMMITTED, SCOPE, key);
        var unanswered = http.postAsync("/orders", headers(key), "{}");
        waitUntil("the transaction is committed").until(victim::caught);
        assertThat(orders(key)).isEqualTo(1);
        assertThat(deliveries(key)).isZero();

        killAndReplace();

        assertThat(unanswered).failsWithin(Waiting.PATIENCE);
        shop.awaitUp();
        assertDelivered(key);
        Reply retry = http().post("/orders", headers(key), "{}");
        assertThat(retry.status()).isEqualTo(201);
        assertThat(retry.replayed()).isTrue();
        assertThat(orders(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"RELAYED", "RELAY_CONFIRMED"})
    void killedWhileItsMessageIsOnItsWayTheMessageActsOnceAndTheAnswerStays(Point point) {
        String key = freshKey("outbox-" + point);
        shop.awaitUp();
        shop.set(point, "", "");

        Reply first = http().post("/orders", headers(key), "{}");

        assertThat(first.status()).as("answered without waiting for the broker").isEqualTo(201);
        waitUntil("the relay is stopped").until(shop::caught);

        killAndReplace();

        shop.awaitUp();
        assertDelivered(key);
        Reply retry = http().post("/orders", headers(key), "{}");
        assertThat(retry.replayed()).isTrue();
        assertThat(retry.text()).isEqualTo(first.text());
    }

    @Test
    void killedBetweenCompletedAndAnswerTheRetryGetsIt() {
        String key = freshKey("outbox-completed");
        HttpProbe http = http();
        shop.set(Point.COMPLETED, SCOPE, key);
        var unanswered = http.postAsync("/orders", headers(key), "{}");
        waitUntil("the record is COMPLETED").until(shop::caught);

        killAndReplace();

        assertThat(unanswered).failsWithin(Waiting.PATIENCE);
        Reply retry = http().post("/orders", headers(key), "{}");
        assertThat(retry.status()).isEqualTo(201);
        assertThat(retry.replayed()).isTrue();
        assertDelivered(key);
    }

    @Test
    void requestsAreAnsweredWithoutTheBrokerAndTheirMessagesLeaveLater() {
        String key = freshKey("outbox-away");
        HttpProbe http = http();
        WORLD.amqpProxy().refuse();
        try {
            assertThat(http.post("/orders", headers(key), "{}").status()).isEqualTo(201);
            assertThat(deliveries(key)).isZero();
        } finally {
            WORLD.amqpProxy().pass();
        }

        assertDelivered(key);
    }
}
