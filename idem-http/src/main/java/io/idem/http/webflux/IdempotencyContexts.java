package io.idem.http.webflux;

import io.idem.IdempotencyContext;
import io.idem.http.internal.webflux.ReactiveExchange;
import java.util.Optional;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Finds the {@link IdempotencyContext} of a request: threads change in a reactive handler, so {@link IdempotencyContext#current()} is
 * set on none of them. Around calls that ask for the current one, use {@link IdempotencyContext#call}.
 */
public final class IdempotencyContexts {

    private IdempotencyContexts() {}

    /** That of the request that is being handled, from Reactor's context; empty where it runs unprotected. */
    public static Mono<IdempotencyContext> current() {
        return Mono.deferContextual(
                context -> Mono.justOrEmpty(context.<IdempotencyContext>getOrEmpty(IdempotencyContext.class)));
    }

    /** That of a request; empty where it runs unprotected. */
    public static Optional<IdempotencyContext> of(ServerWebExchange exchange) {
        return ReactiveExchange.contextOf(exchange);
    }
}
