package io.idem;

import java.util.List;
import java.util.Optional;

/**
 * An earlier attempt whose outcome is unknown, as the attempt that took over sees it. Immutable.
 *
 * @param key the key, as it was passed to external systems
 * @param scope the scope of the work
 * @param root the origin key: the client's key at which the trace of keys begins
 * @param fence the fence of the present grant, greater than that of the earlier attempt
 * @param attempt the number of the present grant, at least 2
 * @param payloads the objects that the work is about, in all forms known here: a listener's arguments and the
 *     transport's own message, an HTTP request's body as {@code byte[]}; empty if a direct operation named none
 */
public record UnknownOutcome(
        IdempotencyKey key, Scope scope, String root, long fence, int attempt, List<Object> payloads) {

    /** Copies the list. */
    public UnknownOutcome {
        payloads = List.copyOf(payloads);
    }

    /** Returns the first payload of a type. */
    public <T> Optional<T> payload(Class<T> type) {
        return payloads.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /** Returns a text without the payloads, which may be confidential. */
    @Override
    public String toString() {
        return "attempt before " + attempt + " of scope \"" + scope + "\" for key " + key.id();
    }
}
