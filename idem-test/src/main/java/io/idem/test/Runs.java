package io.idem.test;

import io.idem.IdempotencyContext;
import io.idem.Operation;
import io.idem.RecordId;
import io.idem.spi.ExecutionObserver;
import io.idem.spi.ObservedExecution;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Counts how often the work of each record was started, whatever its outcome. Thread-safe. */
final class Runs implements ExecutionObserver {

    private final Map<RecordId, Integer> begun = new ConcurrentHashMap<>();

    @Override
    public ObservedExecution begin(Operation operation) {
        AtomicBoolean first = new AtomicBoolean(true);
        return new ObservedExecution() {
            @Override
            public IdempotencyContext.Binding enter() {
                if (first.getAndSet(false)) {
                    begun.merge(operation.record(), 1, Integer::sum);
                }
                return () -> {};
            }
        };
    }

    int of(RecordId record) {
        return begun.getOrDefault(record, 0);
    }

    void clear() {
        begun.clear();
    }
}
