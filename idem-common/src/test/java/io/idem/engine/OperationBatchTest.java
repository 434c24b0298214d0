package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Admission;
import io.idem.AsyncSettling;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordUpdate;
import io.idem.RunningOperation;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.spi.PerRequestStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many operations that one thread begins and ends, on a store whose answers come from another thread. */
class OperationBatchTest extends ExecutorFixture {

    private static final int SIZE = 20;

    private final Elsewhere elsewhere = new Elsewhere();
    private final IdempotentExecutor blocking = IdempotentExecutor.on(elsewhere)
            .transports(() -> transports)
            .listeners(List.of(events::add))
            .clock(scripted.clock())
            .build();
    private final AtomicInteger handedOver = new AtomicInteger();
    private final OperationBatch batch = blocking.async(task -> {
                handedOver.incrementAndGet();
                task.run();
            })
            .batch();

    /** Notes how many requests come at a time, and answers on a thread of its own. */
    private final class Elsewhere extends PerRequestStore {

        private final ExecutorService client = Executors.newSingleThreadExecutor();
        private final List<Integer> sizes = new ArrayList<>();

        Elsewhere() {
            super(store);
        }

        @Override
        public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
            sizes.add(requests.size());
            return later(delegate().acquire(requests));
        }

        @Override
        public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
            sizes.add(updates.size());
            return later(delegate().update(updates));
        }

        private <A> List<CompletionStage<A>> later(List<CompletionStage<A>> answers) {
            return answers.stream()
                    .<CompletionStage<A>>map(answer ->
                            CompletableFuture.runAsync(() -> {}, client).thenCompose(turn -> answer))
                    .toList();
        }
    }

    private List<AsyncSettling<String>> begun() {
        List<Operation> operations = IntStream.range(0, SIZE)
                .mapToObj(number -> Operation.of(IdempotencyKey.of("k-" + number), new Scope("payments"), POLICY))
                .toList();
        return batch.<String>beginAll(operations).stream()
                .map(OperationBatchTest::granted)
                .map(operation -> new AsyncSettling<>(operation, done()))
                .toList();
    }

    private static RunningOperation granted(CompletionStage<Admission<String>> admission) {
        return ((Admission.Granted<String>) ended(admission)).operation();
    }

    private static <T> T ended(CompletionStage<T> stage) {
        assertThat(stage.toCompletableFuture()).isDone();
        return stage.toCompletableFuture().join();
    }

    @Test
    void everythingGoesToTheStoreInTwoCallsAndTheWaitingThreadDoesTheRest() {
        List<CompletionStage<Outcome<String>>> outcomes = batch.settleAll(begun());

        assertThat(outcomes)
                .hasSize(SIZE)
                .allSatisfy(outcome -> assertThat(ended(outcome)).isInstanceOf(Outcome.Executed.class));
        assertThat(elsewhere.sizes).containsExactly(SIZE, SIZE);
        assertThat(handedOver.get()).as("only a look for further settlements").isLessThanOrEqualTo(1);
    }

    @Test
    void anInterruptIsHeededAfterTheBatchIsSettled() {
        List<AsyncSettling<String>> running = begun();

        Thread.currentThread().interrupt();
        List<CompletionStage<Outcome<String>>> outcomes = batch.settleAll(running);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcomes).allSatisfy(outcome -> assertThat(ended(outcome)).isInstanceOf(Outcome.Executed.class));
    }

    @Test
    void whatIsGivenBackMayBeTakenAtOnce() {
        batch.abandonAll(begun().stream().map(AsyncSettling::operation).toList());

        assertThat(begun()).hasSize(SIZE);
    }

    @Test
    void noTaskIsLostOrRunTwiceWhenTheWaitingEnds() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        CallerRunsExecutor desk = new CallerRunsExecutor(Runnable::run);
        ExecutorService others = Executors.newFixedThreadPool(2);
        int rounds = 2_000;
        for (int round = 0; round < rounds; round++) {
            CompletableFuture<Integer> end = new CompletableFuture<>();
            var unused = desk.awaitAll(() -> {
                others.execute(() -> desk.execute(() -> end.complete(ran.incrementAndGet())));
                others.execute(() -> desk.execute(ran::incrementAndGet));
                return List.of(end);
            });
        }
        others.shutdown();
        assertThat(others.awaitTermination(1, TimeUnit.MINUTES)).isTrue();

        assertThat(ran).hasValue(2 * rounds);
    }
}
