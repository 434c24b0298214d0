package io.idem;

import org.jspecify.annotations.Nullable;

/**
 * Binds a context to the thread that runs the work. A static thread-local, because templates and users' code far below
 * the listener have no other way to reach the context. Set and cleared by {@link #bind} alone.
 */
final class CurrentContext {

    private static final ThreadLocal<@Nullable IdempotencyContext> BOUND = new ThreadLocal<>();

    private CurrentContext() {}

    static @Nullable IdempotencyContext get() {
        return BOUND.get();
    }

    static IdempotencyContext.Binding bind(IdempotencyContext context) {
        IdempotencyContext outer = BOUND.get();
        BOUND.set(context);
        return () -> restore(outer);
    }

    private static void restore(@Nullable IdempotencyContext outer) {
        if (outer == null) {
            BOUND.remove();
        } else {
            BOUND.set(outer);
        }
    }
}
