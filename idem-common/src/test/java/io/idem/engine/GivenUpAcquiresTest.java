package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Admission;
import io.idem.AttemptPolicy;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyEvent;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OwnerToken;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.TakeoverPolicy;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attempts after an acquire that was executed, but not answered within the budget of the store's retries. */
class GivenUpAcquiresTest extends ExecutorFixture {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final Operation rejecting = Operation.of(
            operation.record().key(),
            operation.record().scope(),
            POLICY.withAttempts(AttemptPolicy.DEFAULT.withTakeover(TakeoverPolicy.reject())));

    private Outcome<String> runRejecting() throws Exception {
        return executor.execute(rejecting, context -> done());
    }

    private void giveUp() {
        scripted.loseAnswerTo("acquire");
        assertThatThrownBy(this::runRejecting).isInstanceOf(StoreUnavailableException.class);
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
    }

    private List<Lease> grants() {
        return eventsOf(IdempotencyEvent.Claimed.class).stream()
                .map(claimed -> ((Claim.Granted) claimed.claim()).lease())
                .toList();
    }

    @Test
    void theNextAttemptIsToldOfTheGrantThatNobodyHeardOf() throws Exception {
        giveUp();

        assertThat(runRejecting()).isInstanceOf(Outcome.Executed.class);

        assertThat(grants()).extracting(Lease::attempt).containsExactly(1);
    }

    @Test
    void workThatNeverRanIsNotRejectedAfterTheLeaseOfItsUnheardGrant() throws Exception {
        giveUp();
        scripted.advance(LEASE);

        assertThat(runRejecting()).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void anAttemptThatTheStoreDidNotReachKeepsTheNameOfTheOneBefore() throws Exception {
        giveUp();
        scripted.fail("acquire", ScriptedStore.silence());
        assertThatThrownBy(this::runRejecting).isInstanceOf(StoreUnavailableException.class);

        assertThat(runRejecting()).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void asynchronousWorkIsToldOfItToo() throws Exception {
        AsyncIdempotentExecutor async = executor.async(Runnable::run);
        scripted.loseAnswerTo("acquire");
        assertThat(async.begin(rejecting).toCompletableFuture()).isCompletedExceptionally();

        Admission<String> admission =
                async.<String>begin(rejecting).toCompletableFuture().join();

        assertThat(admission).isInstanceOf(Admission.Granted.class);
    }

    @Test
    void afterAGrantTheNextAttemptAsksInAnotherName() throws Exception {
        giveUp();
        assertThatThrownBy(() -> executor.execute(rejecting, context -> {
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");
        runRejecting();

        assertThat(grants()).extracting(Lease::owner).doesNotHaveDuplicates().hasSize(2);
        assertThat(grants()).extracting(Lease::attempt).containsExactly(1, 2);
    }

    @Test
    void workWithAnotherPayloadDoesNotAskInTheNameOfTheFirst() throws Exception {
        scripted.loseAnswerTo("acquire");
        Operation first = rejecting.withFingerprint(Fingerprint.of("1".getBytes(StandardCharsets.UTF_8)));
        Operation second = rejecting.withFingerprint(Fingerprint.of("2".getBytes(StandardCharsets.UTF_8)));
        assertThatThrownBy(() -> executor.execute(first, context -> done()))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(executor.execute(second, context -> done())).isInstanceOf(Outcome.Mismatch.class);

        assertThat(executor.execute(first, context -> done())).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void anotherProcessIsNotKeptFromWorkWhoseAcquireWasGivenUp() throws Exception {
        giveUp();

        await().atMost(LONG).until(() -> record().state() == RecordState.FAILED);

        try (IdempotentExecutor another = IdempotentExecutor.on(scripted.memory())
                .transports(() -> transports)
                .clock(scripted.clock())
                .build()) {
            assertThat(another.execute(rejecting, context -> done())).isInstanceOf(Outcome.Executed.class);
        }
    }

    @Test
    void anOwnerThatCouldNotRenewKeepsItsLapsedLease() {
        Lease owner = someoneElsesLease();
        scripted.loseAnswerTo("acquire");
        assertThatThrownBy(this::runRejecting).isInstanceOf(StoreUnavailableException.class);
        scripted.advance(LEASE);

        await().during(GivenUpAcquires.PAUSE.multipliedBy(2))
                .atMost(LONG)
                .until(() -> record().fence() == owner.fence());

        assertThat(scripted.calls()).contains("inspect");
        assertThat(scripted.memory().complete(owner, RECEIPT)).isInstanceOf(StoreAnswer.Ok.class);
    }

    @Test
    void asynchronousCallersHearOfAStoreThatThrows() {
        IdempotencyStore broken = new PerRequestStore(store) {
            @Override
            public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
                throw new IllegalStateException("broken");
            }

            @Override
            public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
                throw new IllegalStateException("broken");
            }
        };
        try (IdempotentExecutor another =
                IdempotentExecutor.on(broken).transports(() -> transports).build()) {
            assertThat(another.async(Runnable::run).begin(rejecting).toCompletableFuture())
                    .isCompletedExceptionally();
        }
    }

    @Test
    @Tag("extended")
    void anAcquireThatCannotBeWithdrawnIsTriedOnce() throws Exception {
        giveUp();
        scripted.fail("inspect", new IllegalStateException("not a record"));
        await().atMost(LONG).until(() -> scripted.calls().contains("inspect"));

        await().during(GivenUpAcquires.PAUSE.multipliedBy(2))
                .atMost(LONG)
                .until(() -> record().state() == RecordState.PENDING);
    }

    @Test
    void oneOfManyAttemptsAtTheSameTimeAsksInTheNameOfTheOneBefore() throws Exception {
        int attempts = 8;
        ExecutorService threads = Executors.newFixedThreadPool(attempts);
        try (GivenUpAcquires givenUp = new GivenUpAcquires(store)) {
            for (int round = 0; round < 500; round++) {
                AcquireRequest first = request();
                givenUp.failed(first, new IllegalStateException("silence"));
                CyclicBarrier start = new CyclicBarrier(attempts);
                Callable<OwnerToken> attempt = () -> {
                    start.await();
                    return givenUp.resumed(request()).owner();
                };
                List<OwnerToken> owners = new ArrayList<>();
                for (Future<OwnerToken> asked : threads.invokeAll(Collections.nCopies(attempts, attempt))) {
                    owners.add(asked.get());
                }
                assertThat(owners).doesNotHaveDuplicates().contains(first.owner());
                givenUp.answered(first);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private AcquireRequest request() {
        return new AcquireRequest(
                operation.record(),
                OwnerToken.random(new SecureRandom()),
                LEASE,
                Duration.ofHours(24),
                Fingerprint.NONE,
                0,
                0);
    }
}
