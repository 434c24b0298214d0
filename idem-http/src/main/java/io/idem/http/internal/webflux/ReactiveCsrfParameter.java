package io.idem.http.internal.webflux;

import java.util.Optional;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * The form field of Spring Security's CSRF token. The token is masked anew for each page, so it does not belong to the fingerprint.
 */
final class ReactiveCsrfParameter {

    private static final boolean SECURED = ClassUtils.isPresent(
            "org.springframework.security.web.server.csrf.CsrfToken", ReactiveCsrfParameter.class.getClassLoader());

    private ReactiveCsrfParameter() {}

    /**
     * Returns the name of the field, if a filter chain checked the token; otherwise empty. A request without cookies has no token that
     * could have been checked; asking for one would create a session.
     */
    static Mono<Optional<String>> of(ServerWebExchange exchange) {
        return SECURED && !exchange.getRequest().getCookies().isEmpty()
                ? Token.parameterOf(exchange)
                : Mono.just(Optional.empty());
    }

    /** The part that uses types of Spring Security, loaded only if they are present. */
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
