package io.idem.workshop.chaos.worker;

import io.idem.Lease;
import io.idem.RecordId;
import java.nio.file.Path;

/**
 * A line for each acquire, written before the store is asked, and for each grant, renewal and completion, written when its answer is
 * there: milliseconds, what, scope, key, fence, process. Thread-safe.
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
