package io.idem.engine;

import io.idem.Admission;
import io.idem.Claim;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent.StepEnded.How;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.spi.ExecutionEnd;
import io.idem.spi.ExecutionObserver;
import io.idem.spi.ObservedExecution;
import io.idem.spi.ObservedStep;
import io.idem.spi.Stages;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An execution with its observer. Exceptions of the observer do not affect the work, and only the first end is passed
 * on. Thread-safe.
 */
final class Observed {

    /** Execution without an observer. */
    static final Observed NONE = new Observed(ObservedExecution.NONE);

    private static final Logger LOG = LoggerFactory.getLogger(Observed.class);

    private final ObservedExecution execution;
    private final AtomicBoolean over = new AtomicBoolean();

    private Observed(ObservedExecution execution) {
        this.execution = execution;
    }

    static Observed begin(ExecutionObserver observer, Operation operation) {
        return observer == ExecutionObserver.NONE
                ? NONE
                : new Observed(harmless(() -> observer.begin(operation), ObservedExecution.NONE));
    }

    void acquired(Claim claim) {
        tell(() -> execution.acquired(claim));
    }

    IdempotencyContext.Binding enter() {
        return entered(execution::enter);
    }

    ObservedStep step(String name) {
        return new HarmlessStep(harmless(() -> execution.step(name), ObservedStep.NONE));
    }

    private static IdempotencyContext.Binding entered(Supplier<IdempotencyContext.Binding> enter) {
        IdempotencyContext.Binding entered = harmless(enter, () -> {});
        return () -> tell(entered::close);
    }

    void settling() {
        tell(execution::settling);
    }

    void ended(Outcome<?> outcome) {
        ended(ExecutionEnd.of(outcome), null);
    }

    void ended(Throwable failure) {
        ended(ExecutionEnd.of(failure), failure);
    }

    void ended(ExecutionEnd end, @Nullable Throwable failure) {
        if (!over.get() && over.compareAndSet(false, true)) {
            tell(() -> execution.ended(end, failure));
        }
    }

    /** Ends the execution with the outcome of a stage, or with its failure. */
    <T> CompletionStage<Outcome<T>> endedBy(CompletionStage<Outcome<T>> stage) {
        return watched(stage, this::ended);
    }

    /** Ends the execution with the answer of a stage, if that lets no work run, or with its failure. */
    <T> CompletionStage<Admission<T>> begunBy(CompletionStage<Admission<T>> stage) {
        return watched(stage, this::ended);
    }

    private <A> CompletionStage<A> watched(CompletionStage<A> stage, Consumer<A> end) {
        Stages.whenComplete(stage, (answer, failure) -> {
            if (failure == null) {
                end.accept(answer);
            } else {
                ended(failure);
            }
        });
        return stage;
    }

    /** Ends the execution if the answer lets no work run. */
    void ended(Admission<?> admission) {
        if (admission instanceof Admission.Answered<?> answered) {
            ended(answered.outcome());
        }
    }

    private static void tell(Runnable what) {
        var unused = harmless(
                () -> {
                    what.run();
                    return true;
                },
                false);
    }

    private static <V> V harmless(Supplier<V> call, V otherwise) {
        try {
            return call.get();
        } catch (RuntimeException ignored) {
            LOG.warn("An observer of executions failed; the work is not affected", ignored);
            return otherwise;
        }
    }

    /** A step whose observer's exceptions do not affect the work. */
    private record HarmlessStep(ObservedStep step) implements ObservedStep {

        @Override
        public IdempotencyContext.Binding enter() {
            return entered(step::enter);
        }

        @Override
        public void ended(How how) {
            tell(() -> step.ended(how));
        }
    }
}
