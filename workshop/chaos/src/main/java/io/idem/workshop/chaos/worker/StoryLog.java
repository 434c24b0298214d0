package io.idem.workshop.chaos.worker;

import io.idem.Lease;
import io.idem.RecordId;
import java.nio.file.Path;

/**
 * Logs each acquire before the store is asked, and each grant, renewal and completion after its answer. A line has
 * milliseconds, event, scope, key, fence and process id. Thread-safe.
 */
final class StoryLog {

    private static final long NO_FENCE = 0;

    private final LineFile lines;

    StoryLog(Path path) {
        this.lines = new LineFile(path);
    }

    void asked(RecordId record) {
        add("ASKED", record, NO_FENCE);
    }

    void add(String what, Lease lease) {
        add(what, lease.record(), lease.fence());
    }

    private void add(String what, RecordId record, long fence) {
        lines.add(
                what,
                record.scope().name(),
                record.key().value(),
                fence,
                ProcessHandle.current().pid());
    }
}
