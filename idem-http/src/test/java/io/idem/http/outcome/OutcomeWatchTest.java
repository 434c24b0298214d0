package io.idem.http.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.http.OperationStatusReader;
import io.idem.http.outcome.OutcomeSnapshot.Finding;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutcomeWatchTest {

    private static final Scope PAYMENTS = new Scope("payments");
    private static final Scope LEDGER = new Scope("ledger");
    private static final Set<Set<Scope>> BOTH = Set.of(Set.of(PAYMENTS, LEDGER));
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(30);

    private final CountingStore store = new CountingStore();
    private final OutcomeWatch watch = new OutcomeWatch(new OperationStatusReader(store), 100);
    private final IdempotencyKey key = new IdempotencyKey("acme", "k1");

    @BeforeEach
    void announce() {
        store.announce(PAYMENTS);
        store.announce(LEDGER);
    }

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void theWaitEndsWhenAllConsumersHaveCompleted() {
        CompletableFuture<OutcomeSnapshot> outcome = waitFor(BOTH, LONG);

        complete(PAYMENTS);
        store.awaitReads(2);
        assertThat(outcome).isNotDone();
        complete(LEDGER);

        assertThat(outcome.join().finding()).isEqualTo(Finding.COMPLETED);
        assertThat(outcome.join().status().orElseThrow().scopes()).hasSize(2);
    }

    @Test
    void theWaitEndsWhenOneConsumerHasRejected() {
        CompletableFuture<OutcomeSnapshot> outcome = waitFor(BOTH, LONG);

        store.reject(acquire(LEDGER), "no such account");

        assertThat(outcome.join().finding()).isEqualTo(Finding.REJECTED);
    }

    @Test
    void oneOfSeveralSetsOfConsumersIsEnough() {
        complete(LEDGER);

        assertThat(waitFor(Set.of(Set.of(PAYMENTS), Set.of(LEDGER)), LONG)
                        .join()
                        .finding())
                .isEqualTo(Finding.COMPLETED);
    }

    @Test
    void theWaitEndsInTimeWithWhatWasSeen() {
        complete(PAYMENTS);

        CompletableFuture<OutcomeSnapshot> outcome = waitFor(BOTH, Duration.ofSeconds(1));

        assertThat(outcome.join().finding()).isEqualTo(Finding.OPEN);
        assertThat(outcome.join().status().orElseThrow().scopes()).hasSize(1);
    }

    @Test
    void manyWhoWaitForOneOperationReadItOnce() {
        store.hold();
        List<CompletableFuture<OutcomeSnapshot>> all =
                IntStream.range(0, 100).mapToObj(index -> waitFor(BOTH, LONG)).toList();
        complete(PAYMENTS);
        complete(LEDGER);
        int before = store.reads();
        store.resume();

        assertThat(all)
                .allSatisfy(outcome -> assertThat(outcome.join().finding()).isEqualTo(Finding.COMPLETED));
        assertThat(store.reads() - before).isLessThan(5);
    }

    @Test
    void nobodyElseMayWaitWhenAllPlacesAreTakenUntilOneIsFreeAgain() {
        try (OutcomeWatch small = new OutcomeWatch(new OperationStatusReader(store), 1)) {
            CompletableFuture<OutcomeSnapshot> first =
                    small.await(key, BOTH, LONG).orElseThrow();
            assertThat(small.await(key, BOTH, LONG)).isEmpty();

            complete(PAYMENTS);
            complete(LEDGER);
            first.join();

            assertThat(small.await(key, BOTH, LONG)).isPresent();
        }
    }

    @Test
    void nothingIsReadAnyMoreWhenNobodyWaits() {
        waitFor(BOTH, SHORT).join();
        waitFor(BOTH, SHORT).join();

        await().until(() -> watch.operations() == 0);
    }

    @Test
    void whoHasWaitedIsForgottenThoughOthersGoOnWaiting() {
        CompletableFuture<OutcomeSnapshot> patient = waitFor(BOTH, LONG);

        for (int i = 0; i < 5; i++) {
            waitFor(BOTH, SHORT).join();
        }

        assertThat(watch.waiting()).isEqualTo(1);
        assertThat(patient).isNotDone();
    }

    @Test
    void aSilentStoreIsAskedAgain() {
        store.silent(true);
        CompletableFuture<OutcomeSnapshot> outcome = waitFor(BOTH, LONG);
        complete(PAYMENTS);
        complete(LEDGER);
        store.awaitReads(2);
        store.silent(false);

        assertThat(outcome.join().finding()).isEqualTo(Finding.COMPLETED);
    }

    @Test
    void aStoreThatThrowsAnErrorIsAskedAgain() {
        store.broken(true);
        CompletableFuture<OutcomeSnapshot> outcome = waitFor(BOTH, LONG);
        complete(PAYMENTS);
        complete(LEDGER);
        store.awaitReads(2);
        store.broken(false);

        assertThat(outcome.join().finding()).isEqualTo(Finding.COMPLETED);
    }

    @Test
    void aSilentStoreDoesNotKeepAnybodyLongerThanAsked() {
        store.hold();

        assertThat(waitFor(BOTH, SHORT).join()).isEqualTo(new OutcomeSnapshot(Finding.OPEN, Optional.empty()));
        store.resume();
    }

    @Test
    void closingEndsAllWaiting() {
        CompletableFuture<OutcomeSnapshot> outcome = waitFor(BOTH, LONG);

        watch.close();

        assertThat(outcome.join().finding()).isEqualTo(Finding.OPEN);
        assertThat(waitFor(BOTH, LONG).join().finding()).isEqualTo(Finding.OPEN);
    }

    private CompletableFuture<OutcomeSnapshot> waitFor(Set<Set<Scope>> consumers, Duration atMost) {
        return watch.await(key, consumers, atMost).orElseThrow();
    }

    private void complete(Scope scope) {
        store.complete(acquire(scope), StoredResult.NONE);
    }

    private Lease acquire(Scope scope) {
        ExecutionPolicy policy = ExecutionPolicy.defaults();
        return ((Claim.Granted) store.acquire(new AcquireRequest(
                        new RecordId(key, scope),
                        OwnerToken.random(RANDOM),
                        policy.lease(),
                        policy.retention(),
                        Fingerprint.NONE,
                        0,
                        0)))
                .lease();
    }

    /** Counts reads, and holds them back or lets them fail. */
    private static final class CountingStore extends PerRequestStore {

        private final AtomicInteger reads = new AtomicInteger();
        private volatile boolean silent;
        private volatile boolean broken;
        private volatile CompletableFuture<Boolean> held = CompletableFuture.completedFuture(true);

        CountingStore() {
            super(new InMemoryIdempotencyStore());
        }

        @Override
        public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
            reads.incrementAndGet();
            held.join();
            if (broken) {
                throw new NoClassDefFoundError("of a driver");
            }
            if (silent) {
                throw new StoreUnavailableException(
                        "ordered by a test", Execution.NOT_EXECUTED, new IllegalStateException());
            }
            return super.inspectAll(key);
        }

        int reads() {
            return reads.get();
        }

        void awaitReads(int more) {
            int before = reads.get();
            await().until(() -> reads.get() >= before + more);
        }

        void silent(boolean now) {
            silent = now;
        }

        void broken(boolean now) {
            broken = now;
        }

        void hold() {
            held = new CompletableFuture<>();
        }

        void resume() {
            held.complete(true);
        }
    }
}
