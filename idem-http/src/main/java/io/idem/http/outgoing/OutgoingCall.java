package io.idem.http.outgoing;

import io.idem.IdempotencyContext;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call, from the moment at which the work asked for it. Its request may be sent several times and on other threads, always with the
 * same key. Thread-safe.
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
