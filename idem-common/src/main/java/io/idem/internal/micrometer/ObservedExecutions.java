package io.idem.internal.micrometer;

import io.idem.Claim;
import io.idem.IdempotencyContext.Binding;
import io.idem.IdempotencyEvent.StepEnded.How;
import io.idem.Operation;
import io.idem.spi.ExecutionEnd;
import io.idem.spi.ExecutionObserver;
import io.idem.spi.ObservedExecution;
import io.idem.spi.ObservedStep;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Observes every execution as {@code idem.execution}, with {@code idem.acquire}, {@code idem.settle} and, for each step
 * that runs, {@code idem.step.work} inside. The observation is the current one wherever the work's context is bound, so
 * that messages of the work belong to the same trace. Thread-safe.
 */
public record ObservedExecutions(ObservationRegistry registry) implements ExecutionObserver {

    @Override
    public ObservedExecution begin(Operation operation) {
        return registry.isNoop() ? ObservedExecution.NONE : new MicrometerExecution(registry, operation);
    }

    /**
     * The observation of one execution and of its present part. Parts have an explicit parent, because they may end on
     * other threads.
     */
    private static final class MicrometerExecution implements ObservedExecution {

        private final ObservationRegistry registry;
        private final String scope;
        private final KeyValues names;
        private final Observation execution;
        private volatile @Nullable Observation acquire;
        private volatile @Nullable Observation settle;
        private volatile String grant = Tags.NONE;

        MicrometerExecution(ObservationRegistry registry, Operation operation) {
            this.registry = registry;
            this.scope = operation.record().scope().name();
            this.names = KeyValues.of(Tags.SCOPE, scope, "transport", operation.transport());
            this.execution = Observation.createNotStarted("idem.execution", registry)
                    .contextualName("idem " + operation.record().scope())
                    .lowCardinalityKeyValues(names)
                    .highCardinalityKeyValue(
                            "idem.key", operation.record().key().id())
                    .start();
            this.acquire = started(part("idem.acquire").lowCardinalityKeyValues(names));
        }

        /** Started inside the execution: a tracer takes the span of the thread for the parent, whatever the observation says. */
        private Observation started(Observation part) {
            Supplier<Observation> start = part::start;
            return execution.scoped(start);
        }

        private Observation part(String name) {
            return Observation.createNotStarted(name, registry).parentObservation(execution);
        }

        @Override
        public void acquired(Claim claim) {
            if (claim instanceof Claim.Granted granted) {
                grant = Tags.of(granted.kind());
                execution.highCardinalityKeyValue(
                        "idem.fence", Long.toString(granted.lease().fence()));
                execution.highCardinalityKeyValue(
                        "idem.attempt", Integer.toString(granted.lease().attempt()));
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

        @Override
        public Binding enter() {
            return execution.openScope()::close;
        }

        @Override
        public ObservedStep step(String name) {
            return new MicrometerStep(started(part("idem.step.work")
                    .contextualName("step " + name)
                    .lowCardinalityKeyValue(Tags.SCOPE, scope)
                    .lowCardinalityKeyValue("step", name)));
        }

        @Override
        public void settling() {
            if (settle == null) {
                settle = started(part("idem.settle").lowCardinalityKeyValues(names));
            }
        }

        @Override
        public void ended(ExecutionEnd end, @Nullable Throwable failure) {
            endAcquire(Tags.NONE, failure);
            Observation open = settle;
            if (open != null) {
                stop(open.lowCardinalityKeyValue("outcome", end.tag()), null);
            }
            stop(
                    execution.lowCardinalityKeyValue("outcome", end.tag()).lowCardinalityKeyValue("grant", grant),
                    failure);
        }

        private static void stop(Observation observation, @Nullable Throwable failure) {
            if (failure != null) {
                observation.error(failure);
            }
            observation.stop();
        }
    }

    /** The observation of a step's work. */
    private record MicrometerStep(Observation observation) implements ObservedStep {

        @Override
        public Binding enter() {
            return observation.openScope()::close;
        }

        @Override
        public void ended(How how) {
            observation.lowCardinalityKeyValue("how", Tags.of(how)).stop();
        }
    }
}
