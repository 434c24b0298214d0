package io.idem.consumer.internal.batch;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Outgoing;
import io.idem.consumer.internal.delivery.Received;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Binds the contexts of a batch to the thread of its listener. */
public final class BoundContexts {

    private static final ThreadLocal<@Nullable Bound> BOUND = new ThreadLocal<>();

    private BoundContexts() {}

    /**
     * Returns a context for each message that the calling thread's listener got, at the same position; null for a
     * message that runs unguarded. Empty outside of a batch.
     */
    public static List<@Nullable IdempotencyContext> current() {
        Bound bound = BOUND.get();
        return bound == null ? List.of() : bound.contexts();
    }

    /** Returns whether the calling thread has a context. */
    public static boolean isBound() {
        return BOUND.get() != null || IdempotencyContext.current().isPresent();
    }

    /**
     * Returns the context in which the calling thread publishes a message; for transports: of several that run, that of
     * the message whose key it carries; on a thread without a context, that of the message whose headers it has. Empty, with
     * a warning, where several run and it is not known for which of them it is.
     */
    public static Optional<IdempotencyContext> toPublish(Supplier<Outgoing> published) {
        Bound bound = BOUND.get();
        if (bound == null || bound.contexts().stream().allMatch(Objects::isNull)) {
            return IdempotencyContext.current().or(() -> Received.working(published));
        }
        Outgoing message = published.get();
        Optional<IdempotencyContext> context = bound.contexts().stream()
                .flatMap(Stream::ofNullable)
                .filter(running -> Received.isAbout(running, message))
                .findFirst()
                .or(IdempotencyContext::current);
        if (context.isEmpty()) {
            bound.publishing().withoutContext(message.destination());
        }
        return context;
    }

    static List<@Nullable IdempotencyKey> keys(List<@Nullable IdempotencyContext> contexts) {
        List<@Nullable IdempotencyKey> keys = new ArrayList<>(contexts.size());
        contexts.forEach(context -> keys.add(context == null ? null : context.key()));
        return Collections.unmodifiableList(keys);
    }

    static @Nullable Object callWith(
            List<@Nullable IdempotencyContext> contexts, BatchPublishing publishing, CurrentDelivery.HandOver work)
            throws Throwable {
        List<Runnable> ends = contexts.stream()
                .flatMap(Stream::ofNullable)
                .map(Received::begin)
                .toList();
        BOUND.set(new Bound(contexts, publishing));
        try {
            return work.call();
        } finally {
            BOUND.remove();
            ends.forEach(Runnable::run);
        }
    }

    private record Bound(List<@Nullable IdempotencyContext> contexts, BatchPublishing publishing) {}
}
