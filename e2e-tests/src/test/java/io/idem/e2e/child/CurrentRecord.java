package io.idem.e2e.child;

import io.idem.spi.RecordId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whose work the calling thread is at, from its grant to its COMPLETE, so that a database connection can tell. */
final class CurrentRecord {

    private final ThreadLocal<@Nullable RecordId> granted = new ThreadLocal<>();

    void begin(RecordId record) {
        granted.set(record);
    }

    void end() {
        granted.remove();
    }

    Optional<RecordId> get() {
        return Optional.ofNullable(granted.get());
    }
}
