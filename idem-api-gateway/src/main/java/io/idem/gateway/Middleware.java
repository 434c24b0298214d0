package io.idem.gateway;

import org.springframework.web.servlet.function.ServerResponse;

/**
 * Stands between the idempotency filter and a handler: looks at the request, passes it on or answers itself, looks at the answer. It
 * runs once for a key, like the handler: a replay passes none. Thread-safe.
 */
@FunctionalInterface
public interface Middleware {

    /** Answers, mostly with what {@code next} answers. */
    ServerResponse handle(IntakeRequest request, IntakeHandler next) throws Exception;

    /** This one around a handler. */
    default IntakeHandler then(IntakeHandler handler) {
        return request -> handle(request, handler);
    }

    /** This one around another. */
    default Middleware around(Middleware inner) {
        return (request, next) -> handle(request, inner.then(next));
    }
}
