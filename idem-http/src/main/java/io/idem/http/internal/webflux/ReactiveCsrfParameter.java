package io.idem.http.internal.webflux;

import java.util.Optional;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * The field that carries Spring Security's token against forged requests. The token is masked anew for each page, so it says nothing about
 * whether two requests are the same.
 */
final class ReactiveCsrfParameter {

    private static final boolean SECURED = ClassUtils.isPresent(
            "org.springframework.security.web.server.csrf.CsrfToken", ReactiveCsrfParameter.class.getClassLoader());

    private ReactiveCsrfParameter() {}

    /**
     * Its name, if a chain with that protection let the request through; else empty. A request without cookies has no token that could
     * have been checked; asking for one would begin a session.
     */
    static Mono<Optional<String>> of(ServerWebExchange exchange) {
        return SECURED && !exchange.getRequest().getCookies().isEmpty()
                ? Token.parameterOf(exchange)
                : Mono.just(Optional.empty());
    }

    /** Names Spring Security's types, which need not be there. */
    private static final class Token {

        static Mono<Optional<String>> parameterOf(ServerWebExchange exchange) {
            return exchange.getAttribute(CsrfToken.class.getName()) instanceof Mono<?> token
                    ? token.ofType(CsrfToken.class)
                            .map(known -> Optional.of(known.getParameterName()))
                            .defaultIfEmpty(Optional.empty())
                    : Mono.just(Optional.empty());
        }
    }
}
