package io.idem.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Admission;
import io.idem.AsyncCall;
import io.idem.AsyncSettling;
import io.idem.AsyncWork;
import io.idem.AttemptPolicy;
import io.idem.Claim;
import io.idem.CommitUnknownException;
import io.idem.ExecutionPolicy;
import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RunningOperation;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.WorkResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.PerRequestStore;
import io.idem.spi.Stages;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The asynchronous form, on a store that answers when the test says so, by a test that has no second thread: whatever waited
 * would wait for ever.
 */
class AsyncExecutorTest extends ExecutorFixture {

    private final HeldStore held = new HeldStore();
    private final IdempotentExecutor blocking = IdempotentExecutor.on(held)
            .transports(() -> transports)
            .listeners(List.of(events::add))
            .clock(scripted.clock())
            .build();
    private final AsyncIdempotentExecutor async = blocking.async(Runnable::run);

    /** Executes nothing until it is told to. */
    private final class HeldStore extends PerRequestStore {

        private final Queue<Runnable> calls = new ConcurrentLinkedQueue<>();
        private final List<Integer> sizes = new CopyOnWriteArrayList<>();

        HeldStore() {
            super(store);
        }

        @Override
        public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
            return hold(requests.size(), () -> delegate().acquire(requests));
        }

        @Override
        public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
            return hold(updates.size(), () -> delegate().update(updates));
        }

        private <A> List<CompletionStage<A>> hold(int size, Supplier<List<CompletionStage<A>>> call) {
            List<CompletableFuture<A>> answers = IntStream.range(0, size)
                    .mapToObj(i -> new CompletableFuture<A>())
                    .toList();
            sizes.add(size);
            calls.add(() -> {
                List<CompletionStage<A>> given = call.get();
                for (int i = 0; i < size; i++) {
                    Stages.copy(given.get(i), answers.get(i));
                }
            });
            return List.copyOf(answers);
        }

        void answer() {
            calls.remove().run();
        }

        boolean isAsked() {
            return !calls.isEmpty();
        }

        void answerAll() {
            while (isAsked()) {
                answer();
            }
        }
    }

    private static AsyncWork<String> returning(CompletionStage<WorkResult<String>> result) {
        return context -> result;
    }

    private static AsyncWork<String> atOnce() {
        return context -> CompletableFuture.completedStage(done());
    }

    private static <T> T ended(CompletionStage<T> stage) {
        assertThat(stage.toCompletableFuture()).isDone();
        return stage.toCompletableFuture().join();
    }

    @Test
    void nothingWaitsForTheStoreOrForTheWork() {
        CompletableFuture<WorkResult<String>> result = new CompletableFuture<>();

        CompletionStage<Outcome<String>> outcome = async.execute(operation, returning(result));

        held.answer();
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        result.complete(done());
        assertThat(outcome.toCompletableFuture()).isNotDone();
        held.answer();
        assertThat(ended(outcome)).isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void nothingWaitsForConfirmations() {
        CompletableFuture<Object> confirmation = new CompletableFuture<>();
        CompletionStage<Outcome<String>> outcome = async.execute(operation, context -> {
            context.publications().track(confirmation, () -> confirmation);
            return CompletableFuture.completedStage(done());
        });
        held.answer();

        assertThat(held.isAsked()).as("COMPLETE before the confirmation").isFalse();
        confirmation.complete("confirmed");
        held.answer();

        assertThat(ended(outcome)).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void aMessageThatWasRefusedIsSentAgain() {
        AtomicInteger sent = new AtomicInteger();
        CompletionStage<Outcome<String>> outcome = async.execute(operation, context -> {
            context.publications().track(CompletableFuture.failedStage(new IllegalStateException("refused")), () -> {
                sent.incrementAndGet();
                return CompletableFuture.completedStage("confirmed");
            });
            return CompletableFuture.completedStage(done());
        });
        held.answer();

        await().until(held::isAsked);
        held.answer();
        assertThat(ended(outcome)).isInstanceOf(Outcome.Executed.class);
        assertThat(sent).hasValue(1);
    }

    @Test
    void aDuplicateIsAnsweredWithoutRunning() {
        async.execute(operation, atOnce());
        held.answerAll();

        CompletionStage<Outcome<String>> again = async.execute(operation, context -> {
            throw new AssertionError("ran twice");
        });
        held.answer();

        assertThat(ended(again)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
    }

    @Test
    void theContextIsBoundWhileTheMethodRunsAndWhereItIsAskedToBe() {
        CompletableFuture<WorkResult<String>> result = new CompletableFuture<>();
        List<Boolean> bound = new ArrayList<>();
        async.execute(operation, context -> {
            bound.add(IdempotencyContext.current().filter(context::equals).isPresent());
            return result.thenApply(said -> {
                bound.add(IdempotencyContext.current().isPresent());
                try {
                    bound.add(context.call(() ->
                            IdempotencyContext.current().filter(context::equals).isPresent()));
                } catch (Exception impossible) {
                    throw new CompletionException(impossible);
                }
                return said;
            });
        });
        held.answer();
        result.complete(done());

        assertThat(bound).containsExactly(true, false, true);
        assertThat(IdempotencyContext.current()).isEmpty();
    }

    @Test
    void aFailureOfTheWorkGivesTheKeyBackAndIsPassedOnUnwrapped() {
        IllegalStateException failure = new IllegalStateException("declined");
        List<AsyncWork<String>> failing = List.of(
                context -> {
                    throw failure;
                },
                returning(CompletableFuture.failedStage(failure)),
                returning(CompletableFuture.<WorkResult<String>>supplyAsync(
                        () -> {
                            throw failure;
                        },
                        Runnable::run)));

        for (AsyncWork<String> work : failing) {
            CompletionStage<Outcome<String>> outcome = async.execute(operation, work);
            held.answer();
            assertThat(outcome.toCompletableFuture()).isNotDone();
            held.answer();

            List<Throwable> seen = new ArrayList<>();
            outcome.whenComplete((value, thrown) -> seen.add(thrown));
            assertThat(seen).containsExactly(failure);
            assertThat(record().state()).isEqualTo(RecordState.FAILED);
        }
        assertThat(record().attempts()).isEqualTo(3);
    }

    static Stream<Throwable> endsOfAStageThatSayNothingOfItsWork() {
        TimeoutException timeout = new TimeoutException("nobody waits any more");
        return Stream.of(
                timeout,
                new CancellationException("nobody wants it any more"),
                new CompletionException(timeout),
                new CompletionException(new ExecutionException(timeout)));
    }

    @ParameterizedTest
    @MethodSource("endsOfAStageThatSayNothingOfItsWork")
    void afterATimeoutOrACancellationTheKeyExpiresAndIsTakenOver(Throwable end) {
        Operation rejecting = Operation.of(
                operation.record().key(),
                operation.record().scope(),
                POLICY.withAttempts(AttemptPolicy.DEFAULT.withFailures(
                        FailurePolicy.RETRY_ALL.with(List.of(Throwable.class), List.of()))));
        CompletionStage<Outcome<String>> outcome =
                async.execute(rejecting, returning(CompletableFuture.failedStage(end)));
        held.answerAll();

        assertThat(ended(outcome)).isEqualTo(new Outcome.InProgress<>(LEASE));
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        CompletionStage<Outcome<String>> during = async.execute(operation, atOnce());
        held.answerAll();
        assertThat(ended(during)).isInstanceOf(Outcome.InProgress.class);

        scripted.advance(LEASE);
        List<Boolean> takeovers = new ArrayList<>();
        CompletionStage<Outcome<String>> afterwards = async.execute(operation, context -> {
            takeovers.add(context.takeover());
            return CompletableFuture.completedStage(done());
        });
        held.answerAll();
        assertThat(ended(afterwards)).isInstanceOf(Outcome.Executed.class);
        assertThat(takeovers).containsExactly(true);
    }

    @Test
    void aLeaseIsNotRenewedOnceItsStageHasTimedOut() {
        Operation beating = Operation.of(
                operation.record().key(),
                operation.record().scope(),
                new ExecutionPolicy(LEASE, Duration.ofMillis(20), Duration.ofMinutes(1), Duration.ofHours(24), 0));
        CompletableFuture<WorkResult<String>> stage = new CompletableFuture<>();
        CompletionStage<Outcome<String>> outcome = async.execute(beating, returning(stage));
        held.answer();
        await().atMost(120, SECONDS).until(held::isAsked);
        stage.completeExceptionally(new TimeoutException());
        assertThat(ended(outcome)).isInstanceOf(Outcome.InProgress.class);

        held.answerAll();

        await().during(500, MILLISECONDS).atMost(120, SECONDS).until(() -> !held.isAsked());
    }

    static Stream<AsyncWork<String>> timeoutsThatAreFailuresOfTheWork() {
        return Stream.of(
                context -> {
                    throw new TimeoutException("the method itself");
                },
                returning(CompletableFuture.failedStage(
                        new IllegalStateException("declined", new TimeoutException("of a call that the work made")))));
    }

    @ParameterizedTest
    @MethodSource("timeoutsThatAreFailuresOfTheWork")
    void aMethodThatThrowsATimeoutAndAFailureThatOneCausedGiveTheKeyBack(AsyncWork<String> work) {
        CompletionStage<Outcome<String>> outcome = async.execute(operation, work);
        held.answerAll();

        assertThat(outcome.toCompletableFuture()).isCompletedExceptionally();
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void workThatSaysThatItTookNoEffectReleasesOrRejects() {
        CompletionStage<Outcome<String>> released = async.execute(
                operation,
                returning(CompletableFuture.completedStage(new WorkResult.Release<>("later", Duration.ZERO))));
        held.answerAll();
        assertThat(ended(released)).isEqualTo(new Outcome.Released<>("later", false));

        CompletionStage<Outcome<String>> rejected = async.execute(
                operation, returning(CompletableFuture.completedStage(new WorkResult.Reject<>("no", "stolen"))));
        held.answerAll();
        assertThat(ended(rejected)).isEqualTo(new Outcome.RejectedNow<>("no", "stolen"));
    }

    @Test
    void anUnknownCommitSettlesNothing() {
        CommitUnknownException unknown = new CommitUnknownException(operation.record(), new IllegalStateException());
        CompletionStage<Outcome<String>> outcome =
                async.execute(operation, returning(CompletableFuture.failedStage(new CompletionException(unknown))));
        held.answerAll();

        assertThat(ended(outcome)).isEqualTo(new Outcome.InProgress<>(LEASE));
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void aLostLeaseIsDeferredAndSettlesNothing() {
        CompletionStage<Outcome<String>> outcome = async.execute(operation, context -> {
            takenOver();
            context.requireOwner();
            return CompletableFuture.completedStage(done());
        });
        held.answerAll();

        assertThat(ended(outcome)).isEqualTo(new Outcome.InProgress<>(Duration.ZERO));
        assertThat(eventsOf(IdempotencyEvent.LeaseLost.class)).hasSize(1);
        assertThat(scripted.calls()).doesNotContain("complete", "fail", "reject");
    }

    @Test
    void aSilentStoreIsToldAndTheWorkDoesNotRun() {
        scripted.fail("acquire", ScriptedStore.silence());
        CompletionStage<Outcome<String>> outcome = async.execute(operation, context -> {
            throw new AssertionError("ran");
        });
        held.answer();

        assertThatThrownBy(() -> outcome.toCompletableFuture().join())
                .hasCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void anEffectThatCouldNotBeRecordedIsTriedAgainWithoutBlocking() {
        scripted.fail("complete", ScriptedStore.silence());
        CompletionStage<Outcome<String>> first = async.execute(operation, atOnce());
        held.answerAll();
        Outcome<String> open = ended(first);
        assertThat(open).isInstanceOf(Outcome.Unrecorded.class);

        CompletionStage<Outcome<String>> second = async.again((Outcome.Unrecorded<String>) open);
        assertThat(second.toCompletableFuture()).isNotDone();
        held.answerAll();

        assertThat(ended(second)).isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
    }

    @Test
    void aLostRecordIsRestoredWithoutBlocking() {
        CompletionStage<Outcome<String>> first = async.execute(operation, context -> {
            scripted.advance(Duration.ofHours(24));
            return CompletableFuture.completedStage(done());
        });
        held.answerAll();
        Outcome.Unrecorded<String> open = (Outcome.Unrecorded<String>) ended(first);
        assertThat(open.why()).isEqualTo(new Obstacle.RecordLost(RecordState.ABSENT));

        CompletionStage<Outcome<String>> restored = async.again(open);
        held.answerAll();

        assertThat(ended(restored)).isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aSecondEffectIsSuspectedAsInTheBlockingForm() {
        CompletionStage<Outcome<String>> outcome = async.execute(operation, context -> {
            Lease other = takenOver();
            scripted.memory().complete(other, RECEIPT);
            return CompletableFuture.completedStage(done());
        });
        held.answerAll();

        assertThat(ended(outcome)).isEqualTo(new Outcome.Superseded<>("charged", RECEIPT));
        assertThat(eventsOf(IdempotencyEvent.DoubleEffectSuspected.class)).hasSize(1);
    }

    private Operation numbered(int number) {
        return Operation.of(
                IdempotencyKey.of("batch-" + number), operation.record().scope(), POLICY);
    }

    @Test
    void aBatchIsAskedForTogetherAndSettledTogetherWhileEachRunsByItself() {
        List<CompletableFuture<WorkResult<String>>> results = IntStream.range(0, 5)
                .mapToObj(i -> new CompletableFuture<WorkResult<String>>())
                .toList();
        List<CompletionStage<Outcome<String>>> outcomes = async.executeAll(IntStream.range(0, 5)
                .mapToObj(i -> new AsyncCall<>(numbered(i), returning(results.get(i))))
                .toList());
        held.answer();

        results.get(0).complete(done());
        results.get(3).completeExceptionally(new IllegalStateException("declined"));
        results.get(1).complete(done());
        held.answerAll();

        assertThat(held.sizes)
                .as("one acquire, the first settle, those that came meanwhile")
                .startsWith(5, 1);
        assertThat(outcomes.get(0).toCompletableFuture()).isCompleted();
        assertThat(outcomes.get(1).toCompletableFuture()).isCompleted();
        assertThat(outcomes.get(2).toCompletableFuture()).isNotDone();
        assertThat(outcomes.get(3).toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void workThatEndsElsewhereIsBegunAndSettledInBatches() {
        List<CompletionStage<Admission<String>>> admissions =
                async.beginAll(List.of(numbered(1), numbered(2), numbered(3)));
        held.answer();
        List<RunningOperation> running = admissions.stream()
                .map(admission -> ((Admission.Granted<String>) ended(admission)).operation())
                .toList();

        List<CompletionStage<Outcome<String>>> outcomes = async.settleAll(
                List.of(new AsyncSettling<>(running.get(0), done()), new AsyncSettling<>(running.get(1), done())));
        CompletionStage<Boolean> abandoned = async.abandon(running.get(2));
        await().until(() -> {
            held.answerAll();
            return abandoned.toCompletableFuture().isDone();
        });

        assertThat(outcomes).allSatisfy(outcome -> assertThat(ended(outcome)).isInstanceOf(Outcome.Executed.class));
        assertThat(ended(abandoned)).isTrue();
    }

    @Test
    void anInboxIsRefusedBeforeAnythingIsAskedFor() {
        Inbox inbox = (Inbox) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Inbox.class}, (proxy, method, arguments) -> null);

        assertThatThrownBy(() -> async.execute(operation.withInbox(inbox), atOnce()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("inbox");
        assertThat(held.isAsked()).isFalse();
    }

    @Test
    void aGrantThatNoWorkerTakesIsGivenBack() {
        Executor full = task -> {
            throw new RejectedExecutionException("full");
        };
        CompletionStage<Outcome<String>> outcome = blocking.async(full).execute(operation, atOnce());
        held.answerAll();

        assertThatThrownBy(() -> outcome.toCompletableFuture().join())
                .hasCauseInstanceOf(RejectedExecutionException.class);
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aTakeoverThatNoWorkerTakesIsNotGivenBackAsIfItWereAKnownFailure() {
        someoneElsesLease();
        scripted.advance(LEASE);
        CompletionStage<Outcome<String>> outcome =
                blocking.async(throwing(new RejectedExecutionException("full"))).execute(operation, atOnce());
        held.answerAll();

        assertThat(outcome.toCompletableFuture()).isCompletedExceptionally();
        assertThat(record().state()).isEqualTo(RecordState.PENDING);
    }

    private static Executor throwing(Throwable failure) {
        return task -> AsyncExecutorTest.<RuntimeException>sneaky(failure);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneaky(Throwable failure) throws T {
        throw (T) failure;
    }

    static Stream<Throwable> failuresOfAnExecutor() {
        return Stream.of(
                new IllegalStateException("a task decorator found no request"),
                new OutOfMemoryError("unable to create native thread"));
    }

    @ParameterizedTest
    @MethodSource("failuresOfAnExecutor")
    void whateverTheWorkersThrowEndsTheStageOfAGrant(Throwable failure) {
        CompletionStage<Outcome<String>> outcome =
                blocking.async(throwing(failure)).execute(operation, atOnce());
        held.answerAll();

        assertThat(outcome.toCompletableFuture()).isCompletedExceptionally();
        assertThatThrownBy(() -> outcome.toCompletableFuture().join()).hasCause(failure);
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @ParameterizedTest
    @MethodSource("failuresOfAnExecutor")
    void whateverTheWorkersThrowAfterTheWorkItsEffectIsRecorded(Throwable failure) {
        AtomicInteger taken = new AtomicInteger();
        Executor failing = task -> {
            if (taken.getAndIncrement() > 0) {
                AsyncExecutorTest.<RuntimeException>sneaky(failure);
            }
            task.run();
        };
        CompletableFuture<WorkResult<String>> result = new CompletableFuture<>();
        CompletionStage<Outcome<String>> outcome = blocking.async(failing).execute(operation, returning(result));
        held.answerAll();
        result.complete(done());
        held.answerAll();

        assertThat(ended(outcome)).isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void leasesAreRenewedTogetherAndAnUnansweredRenewalDelaysNoOther() {
        ExecutionPolicy beating =
                new ExecutionPolicy(LEASE, Duration.ofMillis(20), Duration.ofMinutes(1), Duration.ofHours(24), 0);
        List<Operation> many = IntStream.range(0, 20)
                .mapToObj(i -> Operation.of(
                        IdempotencyKey.of("beat-" + i), operation.record().scope(), beating))
                .toList();
        async.beginAll(many);
        held.answer();
        await().atMost(120, SECONDS)
                .until(() -> held.sizes.stream().mapToInt(i -> i).sum() >= 40);

        assertThat(held.sizes).as("renewals of one tick").anyMatch(size -> size > 1);
        held.calls.clear();
        async.begin(Operation.of(IdempotencyKey.of("late"), operation.record().scope(), beating));
        int unanswered = held.sizes.size();
        held.answer();
        await().atMost(120, SECONDS).until(() -> held.sizes.size() > unanswered);
    }

    /** The store answers at once, so every hand-over to a worker races the caller who waits for it. */
    @Test
    void theCallersThreadNeverRunsTheWork() throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(2);
        try (IdempotentExecutor executor =
                IdempotentExecutor.on(new InMemoryIdempotencyStore()).build()) {
            AsyncIdempotentExecutor onWorkers = executor.async(workers);
            Queue<Thread> ran = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < 2_000; i++) {
                Operation one = Operation.of(IdempotencyKey.of("k" + i), new Scope("payments"), POLICY);
                onWorkers
                        .execute(one, context -> {
                            ran.add(Thread.currentThread());
                            return CompletableFuture.completedStage(done());
                        })
                        .toCompletableFuture()
                        .get(10, SECONDS);
            }
            assertThat(ran).hasSize(2_000).doesNotContain(Thread.currentThread());
        } finally {
            workers.shutdownNow();
        }
    }
}
