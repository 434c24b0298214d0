package io.idem.workshop.child;

import io.idem.RecordId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whose work a thread is at, from its grant to its COMPLETE, so that a database connection can tell; and what it completed
 * last, so that an acknowledgement can. Thread-safe.
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

    /** Called when this thread's acknowledgement has been sent. Its completed record passes the last point. */
    public void acknowledged() {
        Optional.ofNullable(settled.remove(Thread.currentThread()))
                .ifPresent(record -> tripwire.pass(Point.ACKNOWLEDGED, record));
    }
}
