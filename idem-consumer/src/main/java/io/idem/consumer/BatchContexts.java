package io.idem.consumer;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of the messages that a batch listener is running. {@link IdempotencyContext#current()} is there only while
 * exactly one message runs: what is published for one of several belongs into {@code context.call(...)} of that message's context.
 */
public final class BatchContexts {

    private static final ThreadLocal<@Nullable List<@Nullable IdempotencyContext>> BOUND = new ThreadLocal<>();

    private BatchContexts() {}

    /**
     * One context for each message that the calling thread's listener got, at the same position; null for a message that runs
     * unguarded. Empty outside of a batch.
     */
    public static List<@Nullable IdempotencyContext> current() {
        List<@Nullable IdempotencyContext> bound = BOUND.get();
        return bound == null ? List.of() : bound;
    }

    static List<@Nullable IdempotencyKey> keys(List<@Nullable IdempotencyContext> contexts) {
        List<@Nullable IdempotencyKey> keys = new ArrayList<>(contexts.size());
        contexts.forEach(context -> keys.add(context == null ? null : context.key()));
        return Collections.unmodifiableList(keys);
    }

    static @Nullable Object callWith(List<@Nullable IdempotencyContext> contexts, CurrentDelivery.HandOver work)
            throws Throwable {
        BOUND.set(contexts);
        try {
            return work.call();
        } finally {
            BOUND.remove();
        }
    }
}
