package io.idem.e2e.child;

import io.idem.spi.RecordId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Whose work a thread is at, from its grant to its COMPLETE, so that a database connection can tell. Thread-safe. */
final class CurrentRecord {

    private final Map<Thread, RecordId> granted = new ConcurrentHashMap<>();

    void begin(RecordId record) {
        granted.put(Thread.currentThread(), record);
    }

    void end() {
        granted.remove(Thread.currentThread());
    }

    Optional<RecordId> get() {
        return Optional.ofNullable(granted.get(Thread.currentThread()));
    }
}
