package io.idem.e2e;

import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.idem.workshop.process.Messages;
import io.idem.workshop.process.Money;
import io.idem.workshop.process.Team;
import io.idem.workshop.process.World;
import io.idem.workshop.process.World.Protection;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages with an invalid key header: refused with a reason, kept as dead letters, never worked on. */
@Tag("extended")
class BadMessageTest {

    private static final int TOO_LONG = 1025;
    private static final AtomicLong AMOUNTS = new AtomicLong(900_000);
    private static final World WORLD = World.shared();

    private final Team payments = WORLD.payments(Protection.INBOX);

    @ParameterizedTest
    @MethodSource("badKeys")
    void onRabbitMqItBecomesADeadLetter(@Nullable Object key, String complaint) {
        String body = Money.cents(AMOUNTS.incrementAndGet());
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("x-idempotency-tenant", "north");
        if (key != null) {
            headers.put("x-idempotency-key", key);
        }

        Messages.publishPayment(WORLD, headers, body);

        awaitDeadLetter(body);
        waitUntil("the worker's complaint").until(() -> payments.output().contains(complaint));
        assertThat(WORLD.ledger().select("SELECT 1 FROM ledger WHERE amount = " + AMOUNTS.get()))
                .isEmpty();
    }

    static Stream<Arguments> badKeys() {
        return Stream.of(
                argumentSet("missing", null, "x-idempotency-key"),
                argumentSet("empty", "", "The idempotency key is empty"),
                argumentSet("too long", "k".repeat(TOO_LONG), "at most 1024 are allowed"),
                argumentSet("with a control character", "a\u0007b", "contains a control character"),
                argumentSet("a list", List.of("a", "b"), "x-idempotency-key is of type"),
                argumentSet("a table", Map.of("a", "b"), "x-idempotency-key is of type"),
                argumentSet("a truth value", true, "x-idempotency-key is of type"),
                argumentSet("a fraction", 0.5, "x-idempotency-key is of type"),
                argumentSet("bytes that are no text", new byte[] {(byte) 0xff, 0, 1}, "bytes that are not UTF-8"));
    }

    private static void awaitDeadLetter(String body) {
        Messages.awaitDeadPayment(
                WORLD, body, letter -> body.equals(new String(letter.getBody(), StandardCharsets.UTF_8)));
    }
}
