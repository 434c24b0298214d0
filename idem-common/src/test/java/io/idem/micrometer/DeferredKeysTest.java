package io.idem.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.internal.micrometer.DeferredKeyGauges;
import io.idem.internal.operations.DeferredKeys;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeferredKeysTest {

    private static final Scope PAYMENTS = new Scope("payments");
    private static final RecordId ONE = new RecordId(IdempotencyKey.of("k-1"), PAYMENTS);
    private static final RecordId OTHER = new RecordId(IdempotencyKey.of("k-2"), PAYMENTS);

    private final AtomicLong nanos = new AtomicLong();
    private final DeferredKeys keys = DeferredKeys.staleAfterTenLeases(Duration.ofSeconds(30), nanos::get);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final DeferredKeyGauges gauges = new DeferredKeyGauges(keys, registry);

    DeferredKeysTest() {
        gauges.declare(PAYMENTS);
        gauges.declare(new Scope("orders"));
    }

    @Test
    void aKeyWaitsFromItsFirstDeferralUntilItIsAnsweredOtherwise() {
        busy(ONE);
        busy(OTHER);
        assertThat(gauge("idem.pending.waiting")).isEqualTo(2);

        keys.on(new IdempotencyEvent.Claimed(ONE, new Claim.Replay(StoredResult.NONE, 1)));
        assertThat(gauge("idem.pending.waiting")).isEqualTo(1);
    }

    @Test
    void aWaitThatLastsIsStale() {
        busy(ONE);
        for (int minute = 0; minute < 5; minute++) {
            pass(Duration.ofMinutes(1));
            busy(ONE);
        }
        busy(OTHER);

        assertThat(gauge("idem.pending.stale")).isEqualTo(1);
        assertThat(gauge("idem.pending.oldest")).isEqualTo(300);
    }

    @Test
    void aKeyThatNobodyAsksForAnyMoreIsForgotten() {
        busy(ONE);
        pass(Duration.ofMinutes(5).plusMillis(1));

        assertThat(gauge("idem.pending.waiting")).isZero();
    }

    @Test
    void scopesAreCountedApart() {
        busy(ONE);

        assertThat(registry.get("idem.pending.waiting")
                        .tag("scope", "orders")
                        .gauge()
                        .value())
                .isZero();
    }

    @Test
    void whatIsKeptIsBounded() {
        for (int i = 0; i < DeferredKeys.MOST + 10; i++) {
            busy(new RecordId(IdempotencyKey.of("many-" + i), PAYMENTS));
        }

        assertThat(gauge("idem.pending.waiting")).isEqualTo(DeferredKeys.MOST);
    }

    private void busy(RecordId record) {
        keys.on(new IdempotencyEvent.Claimed(record, new Claim.InProgress(Duration.ofSeconds(30))));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private double gauge(String name) {
        return registry.get(name).tag("scope", "payments").gauge().value();
    }
}
