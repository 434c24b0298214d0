package io.idem.e2e;

import static io.idem.workshop.process.Money.PAYMENTS;
import static io.idem.workshop.process.Money.cents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.idem.workshop.outside.RawHttp;
import io.idem.workshop.outside.Reply;
import io.idem.workshop.process.Money;
import io.idem.workshop.process.Tenant;
import io.idem.workshop.process.World;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests with invalid keys, sent byte for byte as a faulty client would send them. */
@Tag("extended")
class BadKeyTest {

    private static final int BAD_REQUEST = 400;
    private static final int TOO_LONG = 256;
    private static final World WORLD = World.shared();

    @ParameterizedTest
    @MethodSource
    void aKeyThatCannotBeOneIsRefusedWithTheReason(List<String> keyLines, String problem) {
        Reply reply = post(keyLines);

        assertThat(reply.status()).isEqualTo(BAD_REQUEST);
        assertThat(reply.header("content-type")).contains("application/problem+json");
        assertThat(reply.json().path("type").asString()).endsWith(problem);
        assertThat(reply.json().path("detail").asString()).isNotBlank();
        assertThat(amountsInTheLedger()).doesNotContain("9000");
    }

    static Stream<Arguments> aKeyThatCannotBeOneIsRefusedWithTheReason() {
        String key = Money.freshKey("bad");
        return Stream.of(
                argumentSet("missing", List.of(), "key-missing"),
                argumentSet("empty", List.of("Idempotency-Key:"), "key-malformed"),
                argumentSet("blank", List.of("Idempotency-Key: \t "), "key-malformed"),
                argumentSet("quoted and empty", List.of("Idempotency-Key: \"\""), "key-malformed"),
                argumentSet("too long", List.of("Idempotency-Key: " + "k".repeat(TOO_LONG)), "key-malformed"),
                argumentSet(
                        "two different ones",
                        List.of("Idempotency-Key: " + key, "Idempotency-Key: " + key + "x"),
                        "key-malformed"),
                argumentSet("two in one line", List.of("Idempotency-Key: " + key + ", other"), "key-malformed"),
                argumentSet("no closing quote", List.of("Idempotency-Key: \"" + key), "key-malformed"),
                argumentSet("an unknown escape", List.of("Idempotency-Key: \"a\\n" + key + '"'), "key-malformed"),
                argumentSet("a parameter", List.of("Idempotency-Key: \"" + key + "\";a=1"), "key-malformed"),
                argumentSet("text beyond ASCII", List.of("Idempotency-Key: \u00e9" + key), "key-malformed"));
    }

    @ParameterizedTest
    @MethodSource
    void aControlCharacterIsRefused(String character) {
        Reply reply = post(List.of("Idempotency-Key: a" + character + "b"));

        assertThat(reply.status()).isEqualTo(BAD_REQUEST);
        assertThat(amountsInTheLedger()).doesNotContain("9000");
    }

    static Stream<Arguments> aControlCharacterIsRefused() {
        return Stream.of(
                argumentSet("NUL", "\0"),
                argumentSet("ESC", "\u001b"),
                argumentSet("DEL", "\u007f"),
                argumentSet("bare CR", "\r"));
    }

    private static Reply post(List<String> keyLines) {
        List<String> lines = new ArrayList<>(keyLines);
        lines.add("Authorization: " + Tenant.NORTH.headers().get("Authorization"));
        return RawHttp.post(WORLD.http().port(), PAYMENTS, lines, cents(9000));
    }

    private static List<String> amountsInTheLedger() {
        return WORLD.ledger().select("SELECT amount FROM ledger");
    }
}
