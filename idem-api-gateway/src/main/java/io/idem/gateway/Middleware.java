package io.idem.gateway;

import org.springframework.web.servlet.function.ServerResponse;

/**
 * A step between the idempotency filter and a handler: inspects the request, passes it on or answers it, and inspects
 * the answer. Runs once for a key, like the handler; a replay does not pass it. Thread-safe.
 */
@FunctionalInterface
public interface Middleware {

    /** Answers a request, usually with the answer of {@code next}. */
    ServerResponse handle(IntakeRequest request, IntakeHandler next) throws Exception;

    /** Returns a handler that passes requests through this middleware. */
    default IntakeHandler then(IntakeHandler handler) {
        return request -> handle(request, handler);
    }

    /** Returns a middleware that passes requests through this one and then another. */
    default Middleware around(Middleware inner) {
        return (request, next) -> handle(request, inner.then(next));
    }
}
