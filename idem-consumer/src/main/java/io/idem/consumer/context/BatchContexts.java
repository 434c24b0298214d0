package io.idem.consumer.context;

import io.idem.IdempotencyContext;
import io.idem.consumer.internal.batch.BoundContexts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of the messages that a batch listener is running. {@link IdempotencyContext#current()} is present only
 * while exactly one message runs: a message that is published for one of several belongs into {@code context.call(...)}
 * of that message's context.
 */
public final class BatchContexts {

    private BatchContexts() {}

    /**
     * Returns a context for each message that the calling thread's listener got, at the same position; null for a
     * message that runs unguarded. Empty outside of a batch.
     */
    public static List<@Nullable IdempotencyContext> current() {
        return BoundContexts.current();
    }
}
