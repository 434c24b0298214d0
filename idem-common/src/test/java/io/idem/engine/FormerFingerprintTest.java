package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Admission;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Payloads to which an earlier version gave another fingerprint. */
class FormerFingerprintTest {

    private static final Fingerprint BEFORE = Fingerprint.of(new byte[] {1});
    private static final Fingerprint NOW = Fingerprint.of(new byte[] {2}).formerly(BEFORE);
    private static final Fingerprint OTHER = Fingerprint.of(new byte[] {3}).formerly(Fingerprint.of(new byte[] {4}));
    private static final StoredResult PAID = StoredResult.of("raw", new byte[] {1});

    private final IdempotencyStore store = new InMemoryIdempotencyStore(InstantSource.system());
    private final IdempotentExecutor executor = IdempotentExecutor.on(store).build();
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        executor.close();
    }

    private Operation operation(Fingerprint fingerprint) {
        return Operation.of(IdempotencyKey.of("k"), new Scope("payments"), ExecutionPolicy.defaults())
                .withFingerprint(fingerprint);
    }

    private Outcome<Integer> pay(Fingerprint fingerprint) throws Exception {
        return executor.execute(
                operation(fingerprint), attempt -> new WorkResult.Complete<>(runs.incrementAndGet(), PAID));
    }

    @Test
    void workThatAnEarlierVersionRecordedIsNotRunAgain() throws Exception {
        pay(BEFORE);

        assertThat(pay(NOW)).isEqualTo(new Outcome.Replayed<Integer>(PAID));
        assertThat(executor.<Integer>begin(operation(NOW)))
                .isEqualTo(new Admission.Answered<>(new Outcome.Replayed<Integer>(PAID)));
        assertThat(executor.async(Runnable::run)
                        .<Integer>begin(operation(NOW))
                        .toCompletableFuture()
                        .join())
                .isEqualTo(new Admission.Answered<>(new Outcome.Replayed<Integer>(PAID)));
        assertThat(runs).hasValue(1);
    }

    @Test
    void anotherPayloadStaysAMismatch() throws Exception {
        pay(NOW);

        assertThat(pay(OTHER)).isEqualTo(new Outcome.Mismatch<Integer>());
        assertThat(pay(BEFORE)).isEqualTo(new Outcome.Mismatch<Integer>());
        assertThat(runs).hasValue(1);
    }

    @Test
    void anAttemptThatAnEarlierVersionBeganGoesOn() throws Exception {
        executor.execute(operation(BEFORE), attempt -> new WorkResult.Release<>(0, Duration.ZERO));

        assertThat(pay(NOW)).isInstanceOf(Outcome.Executed.class);
        assertThat(pay(BEFORE)).isInstanceOf(Outcome.Replayed.class);
    }

    @Test
    void copiesAreEqual() {
        assertThat(NOW).isEqualTo(Fingerprint.of(new byte[] {2})).hasSameHashCodeAs(Fingerprint.of(new byte[] {2}));
        assertThat(BEFORE.formerly(BEFORE).former()).isEqualTo(BEFORE);
    }
}
