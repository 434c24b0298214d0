package io.idem.e2e;

import static io.idem.workshop.process.Money.PAYMENTS;
import static io.idem.workshop.process.Money.cents;
import static io.idem.workshop.process.Money.freshKey;
import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.outside.HttpProbe;
import io.idem.workshop.outside.RawRecord;
import io.idem.workshop.outside.Reply;
import io.idem.workshop.process.Effects;
import io.idem.workshop.process.Tenant;
import io.idem.workshop.process.World;
import io.idem.workshop.process.World.Protection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The replies to a client that sends a request more than once. */
@Tag("servers")
class IntakeTest {

    private static final int AT_ONCE = 200;
    private static final int ACCEPTED = 202;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final int UNAVAILABLE = 503;

    private static final World WORLD = World.shared();
    private static final HttpProbe HTTP = WORLD.http();

    /** Waits for the first connection to the broker, which may take longer than the confirm timeout. */
    @BeforeAll
    static void workersAreUpAndTheIntakeHasItsConnections() {
        WORLD.payments(Protection.INBOX);
        assertThat(whatARetrySays(freshKey("first")).status()).isEqualTo(ACCEPTED);
    }

    @Test
    void twoHundredParallelRequestsWithOneKeyHaveOneEffectAndOneAnswer() {
        String key = freshKey("parallel");

        List<Reply> replies = IntStream.range(0, AT_ONCE)
                .mapToObj(client -> Tenant.NORTH.postAsync(HTTP, PAYMENTS, key, cents(1200)))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .map(reply -> reply.status() == UNAVAILABLE ? whatARetrySays(key) : reply)
                .toList();

        // The numbers of requests that meet the first one in progress, and that meet its answer, depend on speed.
        assertThat(replies).extracting(Reply::status).isSubsetOf(ACCEPTED, CONFLICT);
        assertThat(replies)
                .filteredOn(Reply::accepted)
                .filteredOn(reply -> !reply.replayed())
                .hasSize(1);
        assertThat(replies)
                .filteredOn(Reply::accepted)
                .extracting(Reply::text)
                .containsOnly(replies.stream()
                        .filter(Reply::accepted)
                        .findFirst()
                        .orElseThrow()
                        .text());
        assertThat(replies)
                .filteredOn(reply -> reply.status() == CONFLICT)
                .allSatisfy(reply -> assertThat(reply.header("retry-after")).isPresent());
        Effects.of(WORLD, key).awaitLedger();
        Effects.settleRabbit(WORLD);
        assertThat(WORLD.ledger().rows("ledger", "north", key)).isEqualTo(1);
    }

    /**
     * Sends the request again until it is answered. Two hundred at once can be too many for the store of a small
     * machine; then nothing ran, and a client repeats its request.
     */
    private static Reply whatARetrySays(String key) {
        return waitUntil("the intake answers " + key)
                .until(
                        () -> Tenant.NORTH.post(HTTP, PAYMENTS, key, cents(1200)),
                        reply -> reply.status() != UNAVAILABLE);
    }

    @Test
    void aChangedAmountIsRefusedAndTheRecordStaysAsItIs() {
        String key = freshKey("changed");
        Tenant.NORTH.postUntilAccepted(HTTP, PAYMENTS, key, cents(1300));
        Optional<RawRecord> before = WORLD.records().read("north", key, World.INTAKE_SCOPE);

        Reply changed = Tenant.NORTH.post(HTTP, PAYMENTS, key, cents(1301));

        assertThat(changed.status()).isEqualTo(UNPROCESSABLE);
        assertThat(changed.header("content-type")).contains("application/problem+json");
        assertThat(before).isPresent();
        assertThat(WORLD.records().read("north", key, World.INTAKE_SCOPE)).isEqualTo(before);
        awaitRow("north", key);
        assertThat(WORLD.ledger().select("SELECT amount FROM ledger WHERE idempotency_key = ?", key))
                .containsExactly("1300");
    }

    @Test
    void aReplayEqualsTheFirstAnswerByteForByte() {
        String key = freshKey("replay");

        Reply first = Tenant.NORTH.post(HTTP, PAYMENTS, key, cents(1400));
        Reply second = Tenant.NORTH.post(HTTP, PAYMENTS, key, cents(1400));

        assertThat(first.status()).isEqualTo(ACCEPTED);
        assertThat(first.replayed()).isFalse();
        assertThat(second.replayed()).isTrue();
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.header("location")).isPresent().isEqualTo(first.header("location"));
        assertThat(comparable(second)).isEqualTo(comparable(first));
    }

    @Test
    void theTwoSpellingsOfOneKeyAreOneKey() {
        String key = freshKey("spelling");

        Reply bare = Tenant.NORTH.post(HTTP, PAYMENTS, key, cents(1500));
        Reply quoted = Tenant.NORTH.post(HTTP, PAYMENTS, '"' + key + '"', cents(1500));

        assertThat(bare.status()).isEqualTo(ACCEPTED);
        assertThat(quoted.replayed()).isTrue();
        assertThat(quoted.text()).isEqualTo(bare.text());
    }

    @Test
    void twoTenantsWithTheSameKeyDoNotMeet() {
        String key = freshKey("shared");

        Reply north = Tenant.NORTH.post(HTTP, PAYMENTS, key, cents(1600));
        Reply south = Tenant.SOUTH.post(HTTP, PAYMENTS, key, cents(1700));

        assertThat(List.of(north.status(), south.status())).containsOnly(ACCEPTED);
        assertThat(south.replayed()).isFalse();
        assertThat(south.text()).isNotEqualTo(north.text());
        awaitRow("north", key);
        awaitRow("south", key);
        assertThat(WORLD.ledger().select("SELECT amount FROM ledger WHERE idempotency_key = ? ORDER BY 1", key))
                .containsExactly("1600", "1700");
    }

    private static void awaitRow(String tenant, String key) {
        waitUntil("the ledger has " + key).until(() -> WORLD.ledger().rows("ledger", tenant, key) > 0);
    }

    /** Removes the headers that differ between replies. */
    private static Map<String, List<String>> comparable(Reply reply) {
        Map<String, List<String>> headers = new TreeMap<>(reply.headers());
        List.of("date", "idempotency-replayed", "keep-alive", "connection", "transfer-encoding", "content-length")
                .forEach(headers::remove);
        return headers;
    }
}
