package io.idem;

import java.util.List;
import java.util.Optional;

/**
 * An attempt that ended without a settlement, as its successor sees it.
 *
 * @param key whose outcome is unknown; what was passed to external systems
 * @param scope who was working
 * @param root the origin key: the client's key at which the trace of keys begins
 * @param fence of the grant that asks, greater than that of the unknown attempt
 * @param attempt which grant asks, at least 2
 * @param payloads what the work is about, in all the forms that are known here: a listener's arguments and the transport's own
 *     message, an HTTP request's body as {@code byte[]}; empty where a plain operation named none
 */
public record UnknownOutcome(
        IdempotencyKey key, Scope scope, String root, long fence, int attempt, List<Object> payloads) {

    /** Copies the list. */
    public UnknownOutcome {
        payloads = List.copyOf(payloads);
    }

    /** The first payload of a type. */
    public <T> Optional<T> payload(Class<T> type) {
        return payloads.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /** Without the payloads, which may be confidential. */
    @Override
    public String toString() {
        return "attempt before " + attempt + " of scope \"" + scope + "\" for key " + key.id();
    }
}
