package io.idem.test;

import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.RecordId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts how often the work of each record was started, whatever its outcome. Thread-safe. */
final class Runs implements IdempotencyEventListener {

    private final Map<RecordId, Integer> begun = new ConcurrentHashMap<>();

    @Override
    public void on(IdempotencyEvent event) {
        if (event instanceof IdempotencyEvent.WorkBegun) {
            begun.merge(event.record(), 1, Integer::sum);
        }
    }

    int of(RecordId record) {
        return begun.getOrDefault(record, 0);
    }

    void clear() {
        begun.clear();
    }
}
