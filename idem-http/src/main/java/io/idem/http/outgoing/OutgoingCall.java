package io.idem.http.outgoing;

import io.idem.IdempotencyContext;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call of idempotent work, from the moment at which its request is built. The request may be sent several times and on other threads,
 * always with the same key. Thread-safe.
 */
final class OutgoingCall {

    private final IdempotencyContext context;
    private @Nullable String key;

    OutgoingCall(IdempotencyContext context) {
        this.context = context;
    }

    synchronized String key(Function<IdempotencyContext, String> derivation) {
        String known = key;
        if (known == null) {
            known = derivation.apply(context);
            key = known;
        }
        return known;
    }
}
