package io.idem.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.ReplayCondition;
import io.idem.http.RouteOptions;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Retries after a rejection, against any store. */
abstract class RejectedOperationsContract {

    private static final Scope INTAKE = new Scope("http.intake");
    private static final Scope PAYMENTS = new Scope("payments");
    private static final Scope RECEIPTS = new Scope("receipts");
    private static final ExecutionPolicy POLICY = ExecutionPolicy.defaults();
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int THREADS = 8;

    private final IdempotencyStore real = store();
    private final InterruptedReads store = new InterruptedReads(real);
    private final IdempotentExecutor executor = IdempotentExecutor.on(real).build();
    private final RejectedOperations rejected = new RejectedOperations(store, ScopePolicies.same(POLICY));
    private final AtomicInteger published = new AtomicInteger();
    private IdempotencyKey key = new IdempotencyKey("north", UUID.randomUUID().toString());

    /** A store without records of these tests' keys. */
    abstract IdempotencyStore store();

    @BeforeEach
    void announce() {
        Stream.of(INTAKE, PAYMENTS, RECEIPTS).forEach(real::announce);
    }

    @AfterEach
    void close() {
        executor.close();
        real.close();
    }

    @Test
    void aRetryAfterARejectionPublishesOnceMoreAndTheConsumerRuns() throws Exception {
        request(Set.of());
        rejectBy(PAYMENTS);

        assertThat(request(Set.of())).isInstanceOf(Outcome.Executed.class);

        assertThat(published).hasValue(2);
        assertThat(acquire(PAYMENTS)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aRetryBeforeARejectionIsReplayed() throws Exception {
        request(Set.of());
        Lease running = granted(PAYMENTS);

        assertThat(request(Set.of())).isInstanceOf(Outcome.Replayed.class);
        real.complete(running, StoredResult.NONE);
        assertThat(request(Set.of())).isInstanceOf(Outcome.Replayed.class);
        assertThat(published).hasValue(1);
    }

    @Test
    void whatOtherConsumersHaveCompletedStaysSo() throws Exception {
        request(Set.of());
        real.complete(granted(RECEIPTS), StoredResult.NONE);
        rejectBy(PAYMENTS);

        request(Set.of());

        assertThat(state(RECEIPTS)).isEqualTo(RecordState.COMPLETED);
        assertThat(state(PAYMENTS)).isEqualTo(RecordState.FAILED);
    }

    @Test
    void rejectionsOfConsumersThatAreNotNamedDoNotCount() throws Exception {
        request(Set.of(PAYMENTS));
        rejectBy(RECEIPTS);

        assertThat(request(Set.of(PAYMENTS))).isInstanceOf(Outcome.Replayed.class);
        assertThat(state(RECEIPTS)).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void retriesAtTheSameTimeReopenAndPublishOnce() throws Exception {
        for (int round = 0; round < 10; round++) {
            key = new IdempotencyKey("north", UUID.randomUUID().toString());
            request(Set.of());
            rejectBy(PAYMENTS);
            published.set(0);

            List<Outcome<Integer>> outcomes = together(() -> request(Set.of()));

            assertThat(published).hasValue(1);
            assertThat(outcomes).filteredOn(Outcome.Executed.class::isInstance).hasSize(1);
            assertThat(acquire(PAYMENTS)).isInstanceOf(Claim.Granted.class);
        }
    }

    /** It saw a rejection that another retry has meanwhile got over, up to a second rejection. */
    @Test
    void aRetryThatLookedTooEarlyOpensNothing() throws Exception {
        request(Set.of());
        rejectBy(PAYMENTS);
        store.afterNextRead(() -> {
            request(Set.of());
            rejectBy(PAYMENTS);
            return published.get();
        });

        assertThat(request(Set.of())).isInstanceOf(Outcome.Replayed.class);

        assertThat(published).hasValue(2);
        assertThat(state(PAYMENTS)).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void aWorkerOfBeforeCannotOverwriteWhatWasReopened() throws Exception {
        request(Set.of());
        Lease before = rejectBy(PAYMENTS);
        request(Set.of());

        assertThat(real.complete(before, StoredResult.NONE)).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(real.reject(before, "again")).isInstanceOf(StoreAnswer.Lost.class);
        Lease after = granted(PAYMENTS);
        assertThat(real.reject(before, "again")).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(real.complete(after, StoredResult.NONE)).isInstanceOf(StoreAnswer.Ok.class);
    }

    @Test
    void aRetryThatDiedAfterItsFirstStepIsContinuedByTheNext() throws Exception {
        request(Set.of());
        rejectBy(PAYMENTS);
        assertThat(gate(Set.of()).opened(intake())).isTrue();

        assertThat(request(Set.of())).isInstanceOf(Outcome.Executed.class);

        assertThat(published).hasValue(2);
        assertThat(acquire(PAYMENTS)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aRetryThatFailedBeforeItsHandOffIsContinuedByTheNext() throws Exception {
        request(Set.of());
        rejectBy(PAYMENTS);
        gate(Set.of()).opened(intake());
        executor.execute(operation(), context -> {
            rejected.openConsumers(intake(), Set.of());
            return new WorkResult.Release<>(0, Duration.ZERO);
        });
        assertThat(state(PAYMENTS)).isEqualTo(RecordState.FAILED);

        assertThat(request(Set.of())).isInstanceOf(Outcome.Executed.class);

        assertThat(published).hasValue(2);
    }

    /** What the filter and the route do with a request. */
    private Outcome<Integer> request(Set<Scope> consumers) throws Exception {
        Outcome<Integer> outcome = attempt(consumers);
        boolean opened =
                outcome instanceof Outcome.Replayed<Integer> && gate(consumers).opened(intake());
        return opened ? attempt(consumers) : outcome;
    }

    private Outcome<Integer> attempt(Set<Scope> consumers) throws Exception {
        return executor.execute(operation(), context -> {
            rejected.openConsumers(intake(), consumers);
            return new WorkResult.Complete<>(published.incrementAndGet(), StoredResult.NONE);
        });
    }

    private ReplayCondition gate(Set<Scope> consumers) {
        RouteOptions.Builder options = RouteOptions.builder(INTAKE, POLICY).handOff(true);
        rejected.reopening(consumers).accept(options);
        return options.build().replayCondition();
    }

    private Operation operation() {
        return Operation.of(key, INTAKE, POLICY);
    }

    private RecordId intake() {
        return new RecordId(key, INTAKE);
    }

    private Lease rejectBy(Scope scope) {
        Lease lease = granted(scope);
        real.reject(lease, "no such account");
        return lease;
    }

    private Lease granted(Scope scope) {
        return ((Claim.Granted) acquire(scope)).lease();
    }

    private Claim acquire(Scope scope) {
        return real.acquire(new AcquireRequest(
                new RecordId(key, scope),
                OwnerToken.random(RANDOM),
                POLICY.lease(),
                POLICY.retention(),
                Fingerprint.NONE,
                0,
                0));
    }

    private RecordState state(Scope scope) {
        return real.inspect(new RecordId(key, scope)).map(RecordSnapshot::state).orElse(RecordState.ABSENT);
    }

    private static <T> List<T> together(Callable<T> call) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<T>> answers =
                    threads.invokeAll(Stream.generate(() -> call).limit(THREADS).toList());
            return answers.stream().map(RejectedOperationsContract::value).toList();
        } finally {
            threads.shutdownNow();
        }
    }

    private static <T> T value(Future<T> answer) {
        try {
            return answer.get();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Lets something happen between a read and what follows from it. */
    private static final class InterruptedReads extends PerRequestStore {

        private static final Callable<Integer> NOTHING = () -> 0;

        private Callable<Integer> meanwhile = NOTHING;

        InterruptedReads(IdempotencyStore store) {
            super(store);
        }

        void afterNextRead(Callable<Integer> action) {
            meanwhile = action;
        }

        @Override
        public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
            List<RecordSnapshot> found = super.inspectAll(key);
            Callable<Integer> now = meanwhile;
            meanwhile = NOTHING;
            try {
                var unused = now.call();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
            return found;
        }
    }
}
