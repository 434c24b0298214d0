package io.idem.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of which some requests fail. */
class RetryingBatchesTest {

    private static final Duration BUDGET = Duration.ofSeconds(3);

    private final AtomicLong nanos = new AtomicLong();
    private final Map<RecordId, Deque<RuntimeException>> failures = new ConcurrentHashMap<>();
    private final List<List<RecordId>> batches = new CopyOnWriteArrayList<>();
    private final Map<Integer, Error> brokenBatches = new ConcurrentHashMap<>();
    private final IdempotencyStore memory = new InMemoryIdempotencyStore();
    private final RetryingIdempotencyStore retrying = new RetryingIdempotencyStore(
            new Failing(), new RetrySettings(BUDGET, Duration.ofMillis(1), Duration.ofMillis(1)), nanos::get);
    private final AcquireRequest one = request("one");
    private final AcquireRequest two = request("two");
    private final AcquireRequest three = request("three");

    private final class Failing extends PerRequestStore {

        Failing() {
            super(memory);
        }

        @Override
        public Claim acquire(AcquireRequest request) {
            fail(request.record());
            return super.acquire(request);
        }

        @Override
        public StoreAnswer update(RecordUpdate request) {
            fail(request.lease().record());
            return super.update(request);
        }

        private void fail(RecordId record) {
            Deque<RuntimeException> next = failures.getOrDefault(record, new ArrayDeque<>());
            if (!next.isEmpty()) {
                throw next.remove();
            }
        }

        @Override
        public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
            noted(requests.stream().map(AcquireRequest::record).toList());
            return super.acquire(requests);
        }

        @Override
        public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
            noted(updates.stream().map(update -> update.lease().record()).toList());
            return super.update(updates);
        }

        private void noted(List<RecordId> batch) {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            batches.add(batch);
            Error error = brokenBatches.get(batches.size());
            if (error != null) {
                throw error;
            }
        }
    }

    @AfterEach
    void close() {
        retrying.close();
    }

    private static AcquireRequest request(String key) {
        return new AcquireRequest(
                new RecordId(IdempotencyKey.of(key), new Scope("payments")),
                OwnerToken.random(new SecureRandom()),
                Duration.ofSeconds(30),
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                0);
    }

    private static StoreUnavailableException unavailable(Execution execution) {
        return new StoreUnavailableException("away", execution, new IllegalStateException());
    }

    private void fail(AcquireRequest request, RuntimeException... with) {
        failures.put(request.record(), new ArrayDeque<>(List.of(with)));
    }

    private static <T> T joined(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @Test
    void aRequestWhoseRepetitionIsUnderWayAtTheEndMayBeExecuted() {
        CompletableFuture<Claim> neverAnswered = new CompletableFuture<>();
        List<CompletionStage<Claim>> answers = new CopyOnWriteArrayList<>(List.of(
                Stages.failed(
                        new StoreUnavailableException("refused", Execution.NOT_EXECUTED, new IllegalStateException())),
                neverAnswered));
        AtomicInteger sent = new AtomicInteger();
        RetryingIdempotencyStore ending = new RetryingIdempotencyStore(
                new StoreDecorator(memory) {
                    @Override
                    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
                        return List.of(answers.get(sent.getAndIncrement()));
                    }
                },
                new RetrySettings(BUDGET, Duration.ofMillis(1), Duration.ofMillis(1)),
                nanos::get);

        CompletionStage<Claim> answer = ending.acquire(List.of(one)).get(0);
        await().until(() -> sent.get() == 2);
        ending.close();

        assertThatThrownBy(() -> Stages.join(answer))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        failure -> assertThat(failure.execution()).isEqualTo(Execution.UNKNOWN));
    }

    @Test
    void onlyWhatFailedIsRepeatedAndEachByItself() {
        fail(two, unavailable(Execution.UNKNOWN), unavailable(Execution.NOT_EXECUTED));
        fail(three, unavailable(Execution.NOT_EXECUTED));

        List<CompletionStage<Claim>> claims = retrying.acquire(List.of(one, two, three));

        assertThat(claims).extracting(RetryingBatchesTest::joined).hasOnlyElementsOfType(Claim.Granted.class);
        assertThat(batches).first().isEqualTo(List.of(one.record(), two.record(), three.record()));
        assertThat(batches)
                .containsExactlyInAnyOrder(
                        List.of(one.record(), two.record(), three.record()),
                        List.of(two.record()),
                        List.of(two.record()),
                        List.of(three.record()));
        assertThat(((Claim.Granted) joined(claims.get(1))).lease().owner()).isEqualTo(two.owner());
    }

    @Test
    void anAnswerDoesNotWaitForTheRepetitionsOfItsNeighbours() {
        fail(two, unavailable(Execution.UNKNOWN));

        List<CompletionStage<Claim>> claims = retrying.acquire(List.of(one, two));

        assertThat(claims.get(0).toCompletableFuture()).isCompleted();
        joined(claims.get(1));
    }

    @Test
    void afterTheBudgetEachRequestEndsWithWhatIsKnownOfIt() {
        fail(
                one,
                unavailable(Execution.UNKNOWN),
                unavailable(Execution.NOT_EXECUTED),
                unavailable(Execution.NOT_EXECUTED));
        fail(
                two,
                unavailable(Execution.NOT_EXECUTED),
                unavailable(Execution.NOT_EXECUTED),
                unavailable(Execution.NOT_EXECUTED));

        List<CompletionStage<Claim>> claims = retrying.acquire(List.of(one, two));

        assertExecution(claims.get(0), Execution.UNKNOWN);
        assertExecution(claims.get(1), Execution.NOT_EXECUTED);
        assertThat(batches)
                .as("three repetitions, each of a second, of which the last begins within the budget of three")
                .hasSize(4);
    }

    private static void assertExecution(CompletionStage<?> stage, Execution execution) {
        assertThatThrownBy(() -> joined(stage))
                .cause()
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        unavailable -> assertThat(unavailable.execution()).isEqualTo(execution));
    }

    @Test
    void anotherExceptionEndsItsRequestAtOnce() {
        fail(one, new UnreadableRecordException(one.record(), "5 bytes"));

        List<CompletionStage<Claim>> claims = retrying.acquire(List.of(one, two));

        assertThatThrownBy(() -> joined(claims.get(0))).hasCauseInstanceOf(UnreadableRecordException.class);
        assertThat(joined(claims.get(1))).isInstanceOf(Claim.Granted.class);
        assertThat(batches).hasSize(1);
    }

    @Test
    void renewalsAreLeftToTheHeartbeatAndOtherSettlesAreRepeated() {
        Lease renewed = ((Claim.Granted) memory.acquire(one)).lease();
        Lease completed = ((Claim.Granted) memory.acquire(two)).lease();
        fail(one, unavailable(Execution.UNKNOWN));
        fail(two, unavailable(Execution.UNKNOWN));

        List<CompletionStage<StoreAnswer>> settlements = retrying.update(
                List.of(new RecordUpdate.Renew(renewed), new RecordUpdate.Complete(completed, StoredResult.NONE)));

        assertExecution(settlements.get(0), Execution.UNKNOWN);
        assertThat(joined(settlements.get(1))).isEqualTo(new StoreAnswer.Ok(StoredResult.NONE));
        assertThat(batches).last().isEqualTo(List.of(two.record()));
    }

    @Test
    void requestsForOneRecordKeepTheirOrderThoughTheFirstIsRepeated() {
        fail(one, unavailable(Execution.NOT_EXECUTED));
        AcquireRequest another = request("one");

        List<CompletionStage<Claim>> claims = retrying.acquire(List.of(one, another));

        assertThat(joined(claims.get(0))).isInstanceOf(Claim.Granted.class);
        assertThat(joined(claims.get(1))).isInstanceOf(Claim.InProgress.class);
    }

    @Test
    void aRepetitionThatWaitedForAThreadBeyondTheBudgetIsNotSent() {
        fail(one, unavailable(Execution.NOT_EXECUTED));
        Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        IdempotencyStore blocking = new StoreDecorator(new Failing()) {
            @Override
            public Optional<Executor> blockingThreads() {
                return Optional.of(tasks::add);
            }
        };
        try (RetryingIdempotencyStore store = new RetryingIdempotencyStore(
                blocking, new RetrySettings(BUDGET, Duration.ofMillis(1), Duration.ofMillis(1)), nanos::get)) {
            CompletionStage<Claim> claim = store.acquire(List.of(one)).get(0);
            await().atMost(Duration.ofMinutes(2)).until(() -> !tasks.isEmpty());
            nanos.addAndGet(BUDGET.toNanos());

            tasks.remove().run();

            assertExecution(claim, Execution.NOT_EXECUTED);
            assertThat(batches).containsExactly(List.of(one.record()));
        }
    }

    @Test
    void aRepetitionOfABlockingStoreIsSentOnItsThreads() {
        fail(one, unavailable(Execution.NOT_EXECUTED));
        List<String> senders = new CopyOnWriteArrayList<>();
        IdempotencyStore blocking = new StoreDecorator(new Failing()) {
            @Override
            public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
                senders.add(Thread.currentThread().getName());
                return super.acquire(requests);
            }

            @Override
            public Optional<Executor> blockingThreads() {
                // A task that ends before it was handed over must not bring the repetition back.
                return Optional.of(task -> {
                    Thread thread = new Thread(task, "blocking");
                    thread.start();
                    await().until(() -> !thread.isAlive());
                });
            }
        };
        try (RetryingIdempotencyStore store = new RetryingIdempotencyStore(
                blocking, new RetrySettings(BUDGET, Duration.ofMillis(1), Duration.ofMillis(1)), () -> 0)) {
            assertThat(joined(store.acquire(List.of(one)).get(0))).isInstanceOf(Claim.Granted.class);
        }

        assertThat(senders).hasSize(2);
        assertThat(senders.get(1)).isEqualTo("blocking");
    }

    @Test
    void closingEndsWhatWaitsForItsNextTry() {
        RetryingIdempotencyStore slow = new RetryingIdempotencyStore(
                new Failing(), new RetrySettings(BUDGET, Duration.ofHours(1), Duration.ofHours(1)), () -> 0);
        fail(one, unavailable(Execution.UNKNOWN));
        CompletionStage<Claim> claim = slow.acquire(List.of(one)).get(0);
        assertThat(claim.toCompletableFuture()).isNotDone();

        slow.close();

        assertExecution(claim, Execution.UNKNOWN);
        fail(two, unavailable(Execution.NOT_EXECUTED));
        assertExecution(slow.acquire(List.of(two)).get(0), Execution.NOT_EXECUTED);
    }

    /** Whoever waits would wait for ever: the second try is on a thread of which nobody hears. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatTheStoreThrowsInsteadOfAnsweringEndsAllThatItWasAskedFor(int atTry) {
        fail(two, unavailable(Execution.UNKNOWN));
        brokenBatches.put(atTry, new NoClassDefFoundError("a class of the store's client"));

        CompletionStage<Claim> claim = retrying.acquire(List.of(one, two)).get(1);

        assertThat(claim)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(NoClassDefFoundError.class);
    }
}
