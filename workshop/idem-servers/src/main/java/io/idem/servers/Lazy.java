package io.idem.servers;

import java.util.Optional;
import java.util.function.Supplier;

/** A value made when first asked for, once. A failed attempt is repeated by the next caller. Thread-safe. */
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

    /** The value if there is one already; does not make it. */
    synchronized Optional<T> peek() {
        return value;
    }
}
