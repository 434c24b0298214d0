package io.idem.workshop.chaos.worker;

import io.idem.Claim;
import java.nio.file.Path;

/** Logs each grant in a line of milliseconds, scope, key, kind and fence. Thread-safe. */
final class GrantLog {

    private final LineFile lines;

    GrantLog(Path path) {
        this.lines = new LineFile(path);
    }

    void add(Claim.Granted granted) {
        var record = granted.lease().record();
        lines.add(
                record.scope().name(),
                record.key().value(),
                granted.kind(),
                granted.lease().fence());
    }
}
