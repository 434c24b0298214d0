package io.idem.engine;

import io.idem.Admission;
import io.idem.Claim;
import io.idem.IdempotencyContext.Binding;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.internal.LogFields;
import io.idem.internal.Tags;
import io.idem.spi.ExecutionEnd;
import io.idem.spi.Stages;
import io.micrometer.observation.Observation;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution as it is observed: {@code idem.execution}, with {@code idem.acquire}, {@code idem.settle} and, for each
 * step that runs, {@code idem.step.work} inside. The observation is the current one wherever the work's context is
 * bound, so that messages of the work belong to the same trace. Exceptions and errors of observation handlers do not
 * affect the work, and only the first end counts. Thread-safe.
 */
final class Observed {

    private static final Logger LOG = LoggerFactory.getLogger(Observed.class);

    private final Operation operation;
    private final Observations by;
    private final Observation execution;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable Observation acquire;
    private volatile @Nullable Observation settle;
    private volatile @Nullable Lease lease;
    private volatile @Nullable ExecutionEnd instead;
    private volatile String grant = Tags.NONE;
    private volatile Consumer<ExecutionEnd> timer = end -> {};

    /** Begins to observe an execution, before the store is asked. */
    Observed(Operation operation, Observations by) {
        this.operation = operation;
        this.by = by;
        this.execution = harmless(
                () -> named(by.observation("idem.execution"))
                        .contextualName("idem " + operation.record().scope())
                        .highCardinalityKeyValue(
                                "idem.key", operation.record().key().id())
                        .start(),
                Observation.NOOP);
        this.acquire = part(() -> named(by.observation("idem.acquire")));
    }

    private Observation named(Observation observation) {
        return observation
                .lowCardinalityKeyValue(Tags.SCOPE, operation.record().scope().name())
                .lowCardinalityKeyValue("transport", operation.transport());
    }

    /**
     * Starts a part inside the execution: a tracer takes the span of the thread for the parent, whatever the observation
     * says. The parent is explicit too, because a part may end on another thread.
     */
    private Observation part(Supplier<Observation> part) {
        Supplier<Observation> start =
                () -> part.get().parentObservation(execution).start();
        return harmless(() -> execution.scoped(start), Observation.NOOP);
    }

    /** Notes the answer to the acquire. */
    void acquired(Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            Lease owned = granted.lease();
            lease = owned;
            grant = Tags.of(granted.kind());
            timer = operation.intake() ? by.durations().timer(operation.record().scope()) : end -> {};
            execution.highCardinalityKeyValue("idem.attempt", Integer.toString(owned.attempt()));
            if (owned.knownFence() > 0) {
                execution.highCardinalityKeyValue("idem.fence", Long.toString(owned.knownFence()));
            }
        }
        endAcquire(Tags.of(claim), null);
    }

    private void endAcquire(String answer, @Nullable Throwable failure) {
        Observation open = acquire;
        acquire = null;
        if (open != null) {
            stop(open.lowCardinalityKeyValue("answer", answer), failure);
        }
    }

    /**
     * Begins a part of the work on the calling thread. It ends, on the same thread, when the returned binding is closed.
     */
    Binding enter() {
        Binding fields = by.logFields() ? LogFields.put(operation.record(), lease) : () -> {};
        Binding scope = entered(execution);
        return () -> {
            scope.close();
            fields.close();
        };
    }

    /** Makes an observation the current one of the calling thread. */
    static Binding entered(Observation observation) {
        Observation.Scope scope = harmless(observation::openScope, Observation.Scope.NOOP);
        return () -> tell(scope::close);
    }

    /** Begins to observe the work of a step. Not called for a step whose result is known without its work. */
    Observation step(String name) {
        return part(() -> by.observation("idem.step.work")
                .contextualName("step " + name)
                .lowCardinalityKeyValue(Tags.SCOPE, operation.record().scope().name())
                .lowCardinalityKeyValue("step", name));
    }

    /** Notes that the work is over; the wait for confirmations and the update of the record follow. */
    void settling() {
        if (settle == null && !over.get()) {
            settle = part(() -> named(by.observation("idem.settle")));
        }
    }

    /** Makes the execution end in this way when its record is written, in place of the outcome or failure that its caller gets. */
    void endsAs(ExecutionEnd end) {
        instead = end;
    }

    void ended(Outcome<?> outcome) {
        ended(Objects.requireNonNullElse(instead, ExecutionEnd.of(outcome)), null);
    }

    void ended(Throwable failure) {
        ended(Objects.requireNonNullElse(instead, ExecutionEnd.of(failure)), instead == null ? failure : null);
    }

    /** @param failure exception that the caller gets instead of an outcome; null if there is an outcome */
    void ended(ExecutionEnd end, @Nullable Throwable failure) {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        tell(() -> timer.accept(end));
        endAcquire(Tags.NONE, failure);
        Observation open = settle;
        if (open != null) {
            stop(open.lowCardinalityKeyValue("outcome", end.tag()), null);
        }
        stop(execution.lowCardinalityKeyValue("outcome", end.tag()).lowCardinalityKeyValue("grant", grant), failure);
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

    /** Ends an observation. */
    static void stop(Observation observation, @Nullable Throwable failure) {
        tell(() -> {
            if (failure != null) {
                observation.error(failure);
            }
            observation.stop();
        });
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
        } catch (Throwable ignored) {
            LOG.warn("An observation handler failed; the work is not affected", ignored);
            return otherwise;
        }
    }
}
