package io.idem.internal.operations;

import io.idem.MonotonicClock;
import io.idem.spi.IdempotencyStore;
import java.util.Optional;

/** Checks for health endpoints that the store takes work, at most once a second. Thread-safe; may block. */
public final class StoreCheck {

    private final PacedAnswer<Optional<RuntimeException>> failure;

    public StoreCheck(IdempotencyStore store, MonotonicClock clock) {
        this.failure = new PacedAnswer<>(
                () -> ask(store), Optional.of(new IllegalStateException("the store has not answered yet")), clock);
    }

    /** Returns the reason why the store cannot be used; empty if it takes work. */
    public Optional<RuntimeException> failure() {
        return failure.get();
    }

    private static Optional<RuntimeException> ask(IdempotencyStore store) {
        try {
            store.check();
            return Optional.empty();
        } catch (RuntimeException silent) {
            return Optional.of(silent);
        }
    }
}
