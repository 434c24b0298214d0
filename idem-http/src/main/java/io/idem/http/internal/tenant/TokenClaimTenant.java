package io.idem.http.internal.tenant;

import io.idem.http.IncomingRequest;
import io.idem.http.TenantResolver;
import java.security.Principal;
import java.util.Optional;
import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;

/**
 * Resolves the tenant that a verified token names in a claim of a JWT, or in an attribute of an introspected token. Needs Spring Security's
 * resource server, whose filter chain verifies the token first. A request without such a token, or whose claim is missing or neither a text
 * nor a whole number, has no tenant. If several issuers are trusted, choose a claim that they cannot use for each other's tenants.
 * Thread-safe.
 *
 * @param claim name of the claim
 */
public record TokenClaimTenant(String claim) implements TenantResolver {

    @Override
    public Optional<String> resolve(IncomingRequest request) {
        return request.principal().flatMap(this::named).filter(tenant -> !tenant.isBlank());
    }

    private Optional<String> named(Principal principal) {
        if (!(principal instanceof AbstractOAuth2TokenAuthenticationToken<?> token) || !token.isAuthenticated()) {
            return Optional.empty();
        }
        Object value = token.getTokenAttributes().get(claim);
        return value instanceof String || value instanceof Long || value instanceof Integer
                ? Optional.of(value.toString())
                : Optional.empty();
    }
}
