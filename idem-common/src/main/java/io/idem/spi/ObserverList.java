package io.idem.spi;

import io.idem.Claim;
import io.idem.IdempotencyContext.Binding;
import io.idem.IdempotencyEvent.StepEnded.How;
import io.idem.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Several observers as one: the first is outermost. */
record ObserverList(List<ExecutionObserver> observers) implements ExecutionObserver {

    @Override
    public ObservedExecution begin(Operation operation) {
        return new Executions(observers.stream()
                .map(observer -> observer.begin(operation))
                .filter(execution -> execution != ObservedExecution.NONE)
                .toList());
    }

    private record Executions(List<ObservedExecution> all) implements ObservedExecution {

        @Override
        public void acquired(Claim claim) {
            all.forEach(one -> one.acquired(claim));
        }

        @Override
        public Binding enter() {
            return entered(all.stream().map(one -> one::enter));
        }

        @Override
        public ObservedStep step(String name) {
            return new Steps(all.stream()
                    .map(one -> one.step(name))
                    .filter(step -> step != ObservedStep.NONE)
                    .toList());
        }

        @Override
        public void settling() {
            all.forEach(ObservedExecution::settling);
        }

        @Override
        public void ended(ExecutionEnd end, @Nullable Throwable failure) {
            all.forEach(one -> one.ended(end, failure));
        }
    }

    private record Steps(List<ObservedStep> all) implements ObservedStep {

        @Override
        public Binding enter() {
            return entered(all.stream().map(one -> one::enter));
        }

        @Override
        public void ended(How how) {
            all.forEach(one -> one.ended(how));
        }
    }

    /** Enters in order; the binding leaves in reverse order. */
    private static Binding entered(Stream<Supplier<Binding>> parts) {
        List<Binding> entered = new ArrayList<>();
        parts.forEachOrdered(part -> entered.add(0, part.get()));
        return () -> entered.forEach(Binding::close);
    }
}
