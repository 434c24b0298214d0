package io.idem.http.internal.tenant;

import io.idem.http.IncomingRequest;
import io.idem.http.TenantResolver;
import java.security.Principal;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;

/**
 * Resolves the tenant that a verified token names in a claim of a JWT, or in an attribute of an introspected token. Needs Spring Security's
 * resource server, whose filter chain verifies the token first. A request without such a token, or whose claim is missing or neither a text
 * nor a whole number, has no tenant. The issuer belongs to the tenant: two issuers may use one value for tenants of their own. Thread-safe.
 *
 * @param claim name of the claim
 * @param home issuer whose tenants are known by the claim alone, as is one of a token that names no issuer
 */
public record TokenClaimTenant(String claim, @Nullable String home) implements TenantResolver {

    /** The setting of the only issuer that Spring Boot's resource server trusts. */
    public static final String HOME = "spring.security.oauth2.resourceserver.jwt.issuer-uri";

    /** Values that would be read as an issuer's URI, a blank and a value. */
    private static final Pattern LIKE_ISSUED = Pattern.compile("\\s*\\S*:\\S* .*", Pattern.DOTALL);

    @Override
    public Optional<String> resolve(IncomingRequest request) {
        return request.principal().flatMap(this::named);
    }

    private Optional<String> named(Principal principal) {
        if (!(principal instanceof AbstractOAuth2TokenAuthenticationToken<?> token) || !token.isAuthenticated()) {
            return Optional.empty();
        }
        Object value = token.getTokenAttributes().get(claim);
        return value instanceof String || value instanceof Long || value instanceof Integer
                ? Optional.of(value.toString())
                        .filter(text -> !text.isBlank())
                        .flatMap(text -> issued(token.getTokenAttributes().get("iss"), text))
                : Optional.empty();
    }

    /** Returns no tenant of another issuer that is no URI: it could be written as a tenant of the home issuer. */
    private Optional<String> issued(@Nullable Object issuer, String value) {
        if (issuer == null || issuer.toString().equals(home)) {
            return Optional.of(LIKE_ISSUED.matcher(value).matches() ? " " + value : value);
        }
        return Optional.of(issuer + " " + value)
                .filter(tenant -> issuer.toString().matches("\\S*:\\S*"));
    }
}
