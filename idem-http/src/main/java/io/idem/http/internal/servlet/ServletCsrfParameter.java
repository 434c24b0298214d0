package io.idem.http.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;

/**
 * The parameter that carries Spring Security's token against forged requests. The token is masked anew for each page, so it says nothing
 * about whether two requests are the same.
 */
final class ServletCsrfParameter {

    private static final boolean SECURED = ClassUtils.isPresent(
            "org.springframework.security.web.csrf.CsrfToken", ServletCsrfParameter.class.getClassLoader());

    private ServletCsrfParameter() {}

    /**
     * Its name, if a chain with that protection let the request through. A request without cookies has no token that could have been
     * checked; asking for one would begin a session.
     */
    static Optional<String> of(HttpServletRequest request) {
        return SECURED && request.getHeader(HttpHeaders.COOKIE) != null ? Token.parameterOf(request) : Optional.empty();
    }

    /** Names Spring Security's types, which need not be there. */
    private static final class Token {

        static Optional<String> parameterOf(HttpServletRequest request) {
            return request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
                    ? Optional.of(token.getParameterName())
                    : Optional.empty();
        }
    }
}
