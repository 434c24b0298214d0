package io.idem.gateway.autoconfigure;

import io.idem.http.TenantResolver;
import io.idem.http.internal.tenant.TokenClaimTenant;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The tenant of the requests of one route, where it differs from that of the application's resolver. */
record RouteTenant(IdemGatewayProperties.Tenant tenant, SettingName name) {

    private static final String TOKENS =
            "org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken";

    void check() {
        if (tenant.name() != null && tenant.claim() != null) {
            throw name.invalid("has both a name and a claim", "Set one of them, or neither");
        }
        if (Stream.of(tenant.name(), tenant.claim()).filter(Objects::nonNull).anyMatch(String::isBlank)) {
            throw name.invalid("is empty", "Set its name or its claim, or neither");
        }
        if (tenant.claim() != null && !ClassUtils.isPresent(TOKENS, ClassUtils.getDefaultClassLoader())) {
            throw name.dot("claim")
                    .invalid(
                            "reads tokens that Spring Security's resource server has verified, and that is not on the"
                                    + " class path",
                            "Add spring-boot-starter-security-oauth2-resource-server, or set no claim");
        }
    }

    /** @param issuer the one issuer of tokens that the settings name; null if they name none */
    Optional<TenantResolver> resolver(@Nullable String issuer) {
        String fixed = tenant.name();
        if (fixed != null) {
            return Optional.of(request -> Optional.of(fixed));
        }
        return Optional.ofNullable(tenant.claim()).map(claim -> new TokenClaimTenant(claim, issuer));
    }
}
