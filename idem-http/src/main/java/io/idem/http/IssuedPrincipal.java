package io.idem.http;

import java.security.Principal;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeanUtils;
import org.springframework.security.core.AuthenticatedPrincipal;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.util.ClassUtils;

/** Tenants from principals whose names are unique only among the names of one issuer. */
final class IssuedPrincipal {

    private static final Logger LOG = LoggerFactory.getLogger(IssuedPrincipal.class);

    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.core.Authentication", IssuedPrincipal.class.getClassLoader());

    private static final boolean OAUTH2 = ClassUtils.isPresent(
            "org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal",
            IssuedPrincipal.class.getClassLoader());

    private IssuedPrincipal() {}

    /** Names that would be read as an issuer's URI, a blank and a name. */
    private static final Pattern LIKE_ISSUED = Pattern.compile("\\s*\\S*:\\S* .*", Pattern.DOTALL);

    /**
     * Returns the issuer of a token or login, a blank, which no issuer's URI contains, and the name; without an issuer, the name, behind a
     * blank if it would be read as one of an issuer. Empty if there is no {@link #name}.
     */
    static Optional<String> tenant(Principal principal) {
        Optional<String> issuer = OAUTH2 ? OAuth2.issuer(principal) : Optional.empty();
        return name(principal)
                .map(name -> issuer.map(known -> known + " " + name)
                        .orElseGet(() -> LIKE_ISSUED.matcher(name).matches() ? " " + name : name));
    }

    /**
     * Returns the name of a principal; empty, with a warning, if there is none, as in a token without a subject, or it is only the text of an
     * object. {@link Object#toString} names no user, and the text of claims or of an account is another one when these have changed.
     */
    static Optional<String> name(Principal principal) {
        Object user = SECURITY && principal instanceof Authentication token
                ? Objects.requireNonNullElse(token.getPrincipal(), principal)
                : principal;
        String name = Objects.requireNonNullElse(principal.getName(), "");
        boolean named = user instanceof Principal
                || BeanUtils.isSimpleValueType(user.getClass())
                || user instanceof UserDetails
                || user instanceof AuthenticatedPrincipal;
        if (name.isBlank()
                || (!named && name.equals(user.toString()))
                || name.matches(Pattern.quote(user.getClass().getName()) + "@\\p{XDigit}+")) {
            LOG.warn(
                    "A principal of {} has no name and is no tenant; let it be a java.security.Principal that has one, or"
                            + " define a TenantResolver bean; for a token of Spring Security's resource server"
                            + " idem.http.tenant=JWT_CLAIM is enough",
                    user.getClass());
            return Optional.empty();
        }
        return Optional.of(name);
    }

    /** The part that uses types of Spring Security for OAuth 2, loaded only if they are present. */
    private static final class OAuth2 {

        private static final String ISSUER = "iss";

        static Optional<String> issuer(Principal principal) {
            return principal instanceof Authentication authentication
                    ? Stream.of(
                                    authentication.getPrincipal(),
                                    authentication.getCredentials(),
                                    authentication.getDetails())
                            .filter(Objects::nonNull)
                            .flatMap(known -> issuerOf(known).stream())
                            .findFirst()
                    : Optional.empty();
        }

        private static Optional<String> issuerOf(Object known) {
            Object issuer = null;
            if (known instanceof ClaimAccessor claims) {
                issuer = claims.getClaims().get(ISSUER);
            } else if (known instanceof OAuth2AuthenticatedPrincipal attributed) {
                issuer = attributed.getAttributes().get(ISSUER);
            }
            return Optional.ofNullable(issuer).map(Object::toString);
        }
    }
}
