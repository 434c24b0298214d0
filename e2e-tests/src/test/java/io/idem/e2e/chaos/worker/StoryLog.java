package io.idem.e2e.chaos.worker;

import io.idem.spi.Lease;
import java.nio.file.Path;

/**
 * A line for each grant, renewal and completion, written when the store's answer is there: milliseconds, what, scope, key, fence,
 * process. Thread-safe.
 */
final class StoryLog {

    private final LineFile lines;

    StoryLog(Path path) {
        this.lines = new LineFile(path);
    }

    void add(String what, Lease lease) {
        lines.add(
                what,
                lease.record().scope().name(),
                lease.record().key().value(),
                lease.fence(),
                ProcessHandle.current().pid());
    }
}
