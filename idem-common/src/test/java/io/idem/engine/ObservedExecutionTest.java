package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Admission;
import io.idem.Claim;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent.StepEnded.How;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RunningOperation;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.WorkResult;
import io.idem.spi.ExecutionEnd;
import io.idem.spi.ExecutionObserver;
import io.idem.spi.ObservedExecution;
import io.idem.spi.ObservedStep;
import io.idem.step.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an observer is told, by every way of running work. */
class ObservedExecutionTest extends ExecutorFixture {

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final IdempotentExecutor observed = with(operation -> new Recording());

    private IdempotentExecutor with(ExecutionObserver observer) {
        return IdempotentExecutor.on(store)
                .transports(() -> transports)
                .clock(scripted.clock())
                .observer(observer)
                .build();
    }

    @Test
    void workIsSeenFromItsGrantToItsRecord() throws Exception {
        observed.execute(operation, context -> {
            seen.add("work");
            return done();
        });
        observed.execute(operation, context -> done());

        assertThat(seen)
                .containsExactly("Granted", "enter", "work", "exit", "settling", "EXECUTED", "Replay", "REPLAYED");
    }

    @Test
    void workThatThrowsIsSeenWithItsFailure() {
        IllegalStateException failure = new IllegalStateException("broken");

        assertThatThrownBy(() -> observed.execute(operation, context -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(seen).containsExactly("Granted", "enter", "exit", "settling", "FAILED " + failure);
    }

    @Test
    void aSilentStoreIsAnEndToo() {
        StoreUnavailableException silent =
                new StoreUnavailableException("away", Execution.NOT_EXECUTED, new IllegalStateException());
        scripted.before("acquire", () -> {
            throw silent;
        });

        assertThatThrownBy(() -> observed.execute(operation, context -> done())).isSameAs(silent);
        assertThat(seen).containsExactly("UNAVAILABLE " + silent);
    }

    @Test
    void workWhoseLeaseIsLostSaysSo() throws Exception {
        observed.execute(operation, context -> {
            scripted.advance(LEASE);
            context.requireOwner();
            return done();
        });

        assertThat(seen).containsExactly("Granted", "enter", "exit", "LEASE_LOST");
    }

    @Test
    void workThatEndsElsewhereIsSeenToItsEnd() throws Exception {
        RunningOperation running = ((Admission.Granted<String>) observed.<String>begin(operation)).operation();
        WorkResult<String> result = running.call(context -> done());
        running.settle(result);
        observed.<String>begin(operation);

        assertThat(seen).containsExactly("Granted", "enter", "exit", "settling", "EXECUTED", "Replay", "REPLAYED");
    }

    @Test
    void workThatIsAbandonedOrLeftIsSeenToItsEnd() {
        ((Admission.Granted<String>) observed.<String>begin(operation))
                .operation()
                .abandon();
        ((Admission.Granted<String>) observed.<String>begin(operation))
                .operation()
                .leave();

        assertThat(seen).containsExactly("Granted", "RELEASED", "Granted", "LEFT");
    }

    @Test
    void asynchronousWorkIsSeenToItsEnd() {
        AsyncIdempotentExecutor async = observed.async(Runnable::run);
        async.execute(operation, context -> CompletableFuture.completedStage(done()))
                .toCompletableFuture()
                .join();
        async.execute(operation, context -> CompletableFuture.completedStage(done()))
                .toCompletableFuture()
                .join();

        assertThat(seen).containsExactly("Granted", "enter", "exit", "settling", "EXECUTED", "Replay", "REPLAYED");
    }

    @Test
    void asynchronousWorkThatFailsIsSeenWithItsFailure() {
        IllegalStateException failure = new IllegalStateException("broken");
        AsyncIdempotentExecutor async = observed.async(Runnable::run);

        assertThat(async.<String>execute(operation, context -> CompletableFuture.failedStage(failure)))
                .isCompletedExceptionally();
        assertThat(seen).containsExactly("Granted", "enter", "exit", "settling", "FAILED " + failure);
    }

    @Test
    void anObserverThatFailsHurtsNothing() throws Exception {
        IllegalStateException bug = new IllegalStateException("bug");
        Outcome<String> outcome = with(asked -> {
                    throw bug;
                })
                .execute(operation, context -> done());
        assertThat(outcome).isInstanceOf(Outcome.Executed.class);

        Operation other =
                Operation.of(IdempotencyKey.of("k-2"), operation.record().scope(), POLICY);
        assertThat(with(asked -> new Failing(bug, Optional.empty())).execute(other, ObservedExecutionTest::charge))
                .isInstanceOf(Outcome.Executed.class);
        Operation third =
                Operation.of(IdempotencyKey.of("k-3"), operation.record().scope(), POLICY);
        assertThat(with(asked -> new Failing(bug, Optional.of(new FailingStep(bug))))
                        .execute(third, ObservedExecutionTest::charge))
                .isInstanceOf(Outcome.Executed.class);
    }

    private static WorkResult<String> charge(IdempotencyContext context) {
        var unused = context.step("charge", "item", String.class, step -> "charged");
        return done();
    }

    @Test
    void aStepIsSeenWhileItsWorkRunsAndNotWhenItIsRemembered() throws Exception {
        observed.execute(operation, context -> {
            var unused = charge(context);
            return new WorkResult.Release<>("", Duration.ZERO);
        });
        observed.execute(operation, ObservedExecutionTest::charge);

        assertThat(seen)
                .containsExactly(
                        "Granted",
                        "enter",
                        "enter",
                        "charge enters",
                        "charge exits",
                        "exit",
                        "charge RAN",
                        "exit",
                        "settling",
                        "RELEASED",
                        "Granted",
                        "enter",
                        "exit",
                        "settling",
                        "EXECUTED");
    }

    @Test
    void aStepThatFailsIsSeenToItsEnd() {
        IllegalStateException failure = new IllegalStateException("broken");

        assertThatThrownBy(() -> observed.execute(operation, context -> {
                    var unused = context.step("charge", String.class, step -> {
                        throw failure;
                    });
                    return done();
                }))
                .isSameAs(failure);

        assertThat(seen).contains("charge enters", "charge exits", "charge FAILED");
    }

    @Test
    void anAsynchronousStepIsSeenUntilItsResultIsStored() {
        CompletableFuture<String> charged = new CompletableFuture<>();
        CompletionStage<Outcome<String>> outcome = observed.async(Runnable::run)
                .execute(
                        operation,
                        context -> context.stepAsync(Step.of("charge", String.class), step -> charged)
                                .thenApply(receipt -> done()));
        assertThat(seen).contains("charge enters", "charge exits").doesNotContain("charge RAN");

        charged.complete("charged");

        assertThat(outcome.toCompletableFuture().join()).isInstanceOf(Outcome.Executed.class);
        assertThat(seen).contains("charge RAN");
    }

    @Test
    void severalObserversStandAroundTheWorkInTheirOrder() throws Exception {
        ExecutionObserver both =
                ExecutionObserver.of(List.of(asked -> new Named("outer"), asked -> new Named("inner")));

        with(both).execute(operation, context -> new WorkResult.Release<>("", Duration.ZERO));

        assertThat(seen).containsExactly("outer enters", "inner enters", "inner exits", "outer exits");
    }

    @Test
    void severalObserversStandAroundAStepInTheirOrder() throws Exception {
        ExecutionObserver both = ExecutionObserver.of(
                List.of(asked -> new Named("outer"), asked -> ObservedExecution.NONE, asked -> new Named("inner")));

        with(both).execute(operation, context -> charge(context));

        assertThat(seen)
                .containsSubsequence(
                        "outer charge enters",
                        "inner charge enters",
                        "inner charge exits",
                        "outer charge exits",
                        "outer charge RAN",
                        "inner charge RAN");
    }

    private final class Recording implements ObservedExecution {

        @Override
        public void acquired(Claim claim) {
            seen.add(claim.getClass().getSimpleName());
        }

        @Override
        public IdempotencyContext.Binding enter() {
            seen.add("enter");
            return () -> seen.add("exit");
        }

        @Override
        public ObservedStep step(String name) {
            return new RecordingStep(name, seen);
        }

        @Override
        public void settling() {
            seen.add("settling");
        }

        @Override
        public void ended(ExecutionEnd end, @Nullable Throwable failure) {
            seen.add(failure == null ? end.name() : end + " " + failure);
        }
    }

    private final class Named implements ObservedExecution {

        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public IdempotencyContext.Binding enter() {
            seen.add(name + " enters");
            return () -> seen.add(name + " exits");
        }

        @Override
        public ObservedStep step(String step) {
            return new RecordingStep(name + " " + step, seen);
        }
    }

    /** Tells of a step beside its execution. */
    private record RecordingStep(String name, List<String> seen) implements ObservedStep {

        @Override
        public IdempotencyContext.Binding enter() {
            seen.add(name + " enters");
            return () -> seen.add(name + " exits");
        }

        @Override
        public void ended(How how) {
            seen.add(name + " " + how);
        }
    }

    private record FailingStep(RuntimeException bug) implements ObservedStep {

        @Override
        public IdempotencyContext.Binding enter() {
            throw bug;
        }

        @Override
        public void ended(How how) {
            throw bug;
        }
    }

    private record Failing(RuntimeException bug, Optional<ObservedStep> step) implements ObservedExecution {

        @Override
        public ObservedStep step(String name) {
            return step.orElseThrow(() -> bug);
        }

        @Override
        public void acquired(Claim claim) {
            throw bug;
        }

        @Override
        public IdempotencyContext.Binding enter() {
            throw bug;
        }

        @Override
        public void settling() {
            throw bug;
        }

        @Override
        public void ended(ExecutionEnd end, @Nullable Throwable failure) {
            throw bug;
        }
    }
}
