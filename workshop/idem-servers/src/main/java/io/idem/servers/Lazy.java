package io.idem.servers;

import java.util.Optional;
import java.util.function.Supplier;

/** A value that is created once, on first use. A failed attempt is repeated by the next caller. Thread-safe. */
final class Lazy<T> {

    private final Supplier<T> maker;
    private Optional<T> value = Optional.empty();

    Lazy(Supplier<T> maker) {
        this.maker = maker;
    }

    synchronized T get() {
        T made = value.orElseGet(maker);
        value = Optional.of(made);
        return made;
    }

    /** Returns the value if it exists; does not create it. */
    synchronized Optional<T> peek() {
        return value;
    }
}
