package io.idem.http.webflux;

import io.idem.IdempotencyContext;
import io.idem.http.internal.webflux.ReactiveExchange;
import java.util.Optional;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Finds the {@link IdempotencyContext} of a request. A reactive handler changes threads, so {@link IdempotencyContext#current()} is empty
 * there; wrap code that needs it in {@link IdempotencyContext#call}.
 */
public final class IdempotencyContexts {

    private IdempotencyContexts() {}

    /** Returns the context of the request that is being handled, from Reactor's context; empty if it runs unprotected. */
    public static Mono<IdempotencyContext> current() {
        return Mono.deferContextual(
                context -> Mono.justOrEmpty(context.<IdempotencyContext>getOrEmpty(IdempotencyContext.class)));
    }

    /** Returns the context of a request; empty if it runs unprotected. */
    public static Optional<IdempotencyContext> of(ServerWebExchange exchange) {
        return ReactiveExchange.contextOf(exchange);
    }
}
