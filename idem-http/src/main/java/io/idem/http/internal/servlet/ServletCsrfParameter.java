package io.idem.http.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;

/**
 * The request parameter of Spring Security's CSRF token. The token is masked anew for each page, so it does not belong to the fingerprint.
 */
final class ServletCsrfParameter {

    private static final boolean SECURED = ClassUtils.isPresent(
            "org.springframework.security.web.csrf.CsrfToken", ServletCsrfParameter.class.getClassLoader());

    private ServletCsrfParameter() {}

    /**
     * Returns the name of the parameter, if a filter chain checked the token. A request without cookies has no token that could have been
     * checked; asking for one would create a session.
     */
    static Optional<String> of(HttpServletRequest request) {
        return SECURED && request.getHeader(HttpHeaders.COOKIE) != null ? Token.parameterOf(request) : Optional.empty();
    }

    /** The part that uses types of Spring Security, loaded only if they are present. */
    private static final class Token {

        static Optional<String> parameterOf(HttpServletRequest request) {
            return request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
                    ? Optional.of(token.getParameterName())
                    : Optional.empty();
        }
    }
}
