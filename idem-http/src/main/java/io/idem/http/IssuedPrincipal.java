package io.idem.http;

import java.security.Principal;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.util.ClassUtils;

/** Principals whose name an issuer vouches for: it is unique among that issuer's names only. */
final class IssuedPrincipal {

    private static final boolean OAUTH2 = ClassUtils.isPresent(
            "org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal",
            IssuedPrincipal.class.getClassLoader());

    private IssuedPrincipal() {}

    /** The issuer of a token or login and the name, with a blank between, which no issuer's URI has; else the name. */
    static String tenant(Principal principal) {
        Optional<String> issuer = OAUTH2 ? OAuth2.issuer(principal) : Optional.empty();
        return issuer.map(known -> known + " " + principal.getName()).orElseGet(principal::getName);
    }

    /** Names Spring Security's types, which need not be there. */
    private static final class OAuth2 {

        private static final String ISSUER = "iss";

        static Optional<String> issuer(Principal principal) {
            return principal instanceof Authentication authentication
                    ? Stream.of(
                                    Optional.ofNullable(authentication.getPrincipal()),
                                    Optional.ofNullable(authentication.getCredentials()))
                            .flatMap(Optional::stream)
                            .flatMap(known -> issuerOf(known).stream())
                            .findFirst()
                    : Optional.empty();
        }

        private static Optional<String> issuerOf(Object known) {
            if (known instanceof ClaimAccessor claims) {
                return Optional.ofNullable(claims.getClaims().get(ISSUER)).map(Object::toString);
            }
            return known instanceof OAuth2AuthenticatedPrincipal attributed
                    ? Optional.ofNullable(attributed.getAttributes().get(ISSUER))
                            .map(Object::toString)
                    : Optional.empty();
        }
    }
}
