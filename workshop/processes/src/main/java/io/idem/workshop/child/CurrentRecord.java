package io.idem.workshop.child;

import io.idem.RecordId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The record that each thread works on from its grant to its COMPLETE, for database connections; and the record that it
 * completed last, for acknowledgements. Thread-safe.
 */
public final class CurrentRecord {

    private final Map<Thread, RecordId> granted = new ConcurrentHashMap<>();
    private final Map<Thread, RecordId> settled = new ConcurrentHashMap<>();
    private final Tripwire tripwire;

    CurrentRecord(Tripwire tripwire) {
        this.tripwire = tripwire;
    }

    void begin(RecordId record) {
        granted.put(Thread.currentThread(), record);
    }

    void end() {
        granted.remove(Thread.currentThread());
    }

    void settled(RecordId record) {
        settled.put(Thread.currentThread(), record);
    }

    Optional<RecordId> get() {
        return Optional.ofNullable(granted.get(Thread.currentThread()));
    }

    /** Passes the last point for the record that this thread completed; called after its acknowledgement was sent. */
    public void acknowledged() {
        Optional.ofNullable(settled.remove(Thread.currentThread()))
                .ifPresent(record -> tripwire.pass(Point.ACKNOWLEDGED, record));
    }
}
