package io.idem.spi;

import io.idem.Claim;
import io.idem.IdempotencyContext.Binding;
import io.idem.Operation;
import java.util.ArrayList;
import java.util.List;
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
        public void failOpen() {
            all.forEach(ObservedExecution::failOpen);
        }

        @Override
        public Binding enter() {
            List<Binding> entered = new ArrayList<>(all.size());
            all.forEach(one -> entered.add(0, one.enter()));
            return () -> entered.forEach(Binding::close);
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
}
