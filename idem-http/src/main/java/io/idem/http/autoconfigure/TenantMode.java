package io.idem.http.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.http.TenantResolver;
import io.idem.http.autoconfigure.IdemHttpProperties.TenantFrom;
import io.idem.http.internal.tenant.ApiKeyTenants;
import io.idem.http.internal.tenant.TokenClaimTenant;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The sources of the tenant of a request. */
enum TenantMode {
    /** The authenticated principal, by issuer and name. */
    PRINCIPAL,
    /** The authenticated principal, by name alone: for applications that trust one issuer. */
    PRINCIPAL_NAME,
    /** A single tenant: every caller may see the answers of all others. */
    SINGLE,
    /** The tenant that a claim of the verified token names. */
    JWT_CLAIM,
    /** The tenant whose API key the request carries. */
    API_KEY,
    /** The tenant that a trusted proxy names in a header; in the intake service only, which has the resolver. */
    PROXY_HEADER;

    private static final String TOKENS =
            "org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken";

    /**
     * Creates the resolver of this mode.
     *
     * @param issuer the one issuer of tokens that the settings name; null if they name none
     * @throws ConfigurationException if a setting that it needs is missing or not valid
     */
    TenantResolver resolver(TenantFrom from, @Nullable String issuer) {
        return switch (this) {
            case PRINCIPAL -> TenantResolver.principal();
            case PRINCIPAL_NAME -> TenantResolver.principalName();
            case SINGLE -> TenantResolver.single();
            case JWT_CLAIM -> tokenClaim(from, issuer);
            case API_KEY -> apiKeys(from);
            case PROXY_HEADER ->
                throw new ConfigurationException(
                        "idem.http.tenant=PROXY_HEADER was removed from applications",
                        "Add a TenantResolver bean that believes the header of a proxy by its address, as on the page"
                                + " http.md, and remove the setting. The intake service has it beside Spring Security.");
        };
    }

    private static TenantResolver tokenClaim(TenantFrom from, @Nullable String issuer) {
        String claim = needed("JWT_CLAIM", "claim", from.claim());
        if (!ClassUtils.isPresent(TOKENS, ClassUtils.getDefaultClassLoader())) {
            throw new ConfigurationException(
                    "idem.http.tenant=JWT_CLAIM reads tokens that Spring Security's resource server has verified, and"
                            + " that is not on the class path",
                    "Add spring-boot-starter-security-oauth2-resource-server, or choose another idem.http.tenant.");
        }
        return new TokenClaimTenant(claim, issuer);
    }

    private static TenantResolver apiKeys(TenantFrom from) {
        String header = needed("API_KEY", "header", from.header());
        try {
            return new ApiKeyTenants(
                    header,
                    from.apiKeys().stream()
                            .map(key -> new ApiKeyTenants.ApiKey(key.tenant(), key.sha256()))
                            .toList());
        } catch (IllegalArgumentException invalid) {
            throw new ConfigurationException(
                    "The settings under idem.http.tenant-from are not valid: " + invalid.getMessage(),
                    "List every tenant's key in idem.http.tenant-from.api-keys[].tenant and .sha256, the SHA-256 of the key.",
                    invalid);
        }
    }

    private static String needed(String mode, String setting, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new ConfigurationException(
                    "idem.http.tenant=" + mode + " needs idem.http.tenant-from." + setting,
                    "Set idem.http.tenant-from." + setting + ".");
        }
        return value;
    }
}
