package io.idem.internal.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransitionScriptsTest {

    private static final long FENCE = 1_795_256_100_123_456L;
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final AcquireRequest request = new AcquireRequest(
            new RecordId(IdempotencyKey.of("order-1"), new Scope("payments")),
            OwnerToken.random(new SecureRandom()),
            LEASE,
            Duration.ofDays(1),
            Fingerprint.NONE,
            0,
            0);

    private byte[] granted(long fence) {
        return PackedArguments.firstGrant(PackedArguments.asked(request), fence, LEASE.toMillis());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private String outcomeOf(ScriptReply reply) {
        ScriptLine<?> back = TransitionScripts.withdraw(TransitionScripts.acquire(request), reply);
        return new String(back.arguments().get(1), StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @CsvSource({
        "FRESH, 100, KNOWN",
        "RETRY, 100, KNOWN",
        "TAKEOVER, 101, UNKNOWN",
        "REENTRANT, 100, KNOWN",
        "REENTRANT, 101, UNKNOWN",
    })
    void onlyAGrantAfterAnotherOwnersLeavesAnUnknownOutcomeWhenTakenBack(String kind, long fence, String outcome) {
        ScriptReply reply = new ScriptReply(List.of(ascii("GRANTED"), ascii(kind), granted(fence)));

        assertThat(outcomeOf(reply)).isEqualTo(outcome);
    }

    @Test
    void aFirstGrantIsTakenBackByTheRecordThatItsFenceTellsOf() {
        ScriptLine<?> back =
                TransitionScripts.withdraw(TransitionScripts.acquire(request), new ScriptReply(List.of(FENCE)));

        assertThat(back.arguments()).containsExactly(granted(FENCE), ascii("KNOWN"));
    }
}
