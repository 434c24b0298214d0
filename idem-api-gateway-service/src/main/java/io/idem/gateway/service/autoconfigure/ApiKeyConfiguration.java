package io.idem.gateway.service.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.gateway.service.internal.access.ApiKeyFilter;
import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.http.TenantResolver;
import io.idem.http.internal.servlet.Refusals;
import io.idem.http.internal.tenant.ApiKeyTenants;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;

/**
 * Authentication by API keys, the default. Only another way to authenticate, or an explicit {@code none}, turns it off.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnAuthentication(Authentication.API_KEY)
class ApiKeyConfiguration {

    private static final String DIGEST = "[0-9a-f]{64}";

    @Bean
    FilterRegistrationBean<ApiKeyFilter> idemApiKeyFilter(
            IdemGatewayServiceProperties properties, OpenPaths open, Refusals refusals) {
        FilterRegistrationBean<ApiKeyFilter> registration =
                new FilterRegistrationBean<>(new ApiKeyFilter(read(properties), open, refusals));
        registration.setOrder(ApiKeyFilter.ORDER);
        return registration;
    }

    @Bean
    @ConditionalOnMissingBean
    TenantResolver idemApiKeyTenants() {
        return ApiKeyFilter.tenants();
    }

    /** Reads API keys from the settings; error messages never contain a key. */
    private static ApiKeyTenants read(IdemGatewayServiceProperties properties) {
        List<IdemGatewayServiceProperties.ApiKey> keys = properties.apiKeys();
        if (keys.isEmpty()) {
            throw new ConfigurationException(
                    "The intake authenticates its callers by API keys, and idem.gateway.api-keys has none",
                    "Add idem.gateway.api-keys[0].tenant with .key or .sha256, or set idem.gateway.authentication=oauth2"
                            + " for tokens of an authorization server, or idem.gateway.authentication=none if"
                            + " another system authenticates the callers");
        }
        return tenants(IntStream.range(0, keys.size())
                .mapToObj(index -> read(keys.get(index), "idem.gateway.api-keys[" + index + "]"))
                .toList());
    }

    private static ApiKeyTenants tenants(List<ApiKeyTenants.ApiKey> keys) {
        try {
            return new ApiKeyTenants(HttpHeaders.AUTHORIZATION, keys);
        } catch (IllegalArgumentException invalid) {
            throw new ConfigurationException(
                    "The settings under idem.gateway.api-keys cannot be used: " + invalid.getMessage(),
                    "Give each tenant keys of its own",
                    invalid);
        }
    }

    private static ApiKeyTenants.ApiKey read(IdemGatewayServiceProperties.ApiKey entry, String name) {
        String key = entry.key();
        String sha256 = entry.sha256();
        if (entry.tenant().isBlank()) {
            throw invalid(name + ".tenant", "is empty");
        }
        if ((key == null) == (sha256 == null)) {
            throw invalid(name, "needs either key or sha256");
        }
        return key == null
                ? new ApiKeyTenants.ApiKey(entry.tenant(), digest(sha256, name))
                : ApiKeyTenants.ApiKey.of(entry.tenant(), text(key, name));
    }

    private static String digest(@Nullable String sha256, String name) {
        String digest = String.valueOf(sha256).toLowerCase(Locale.ROOT);
        if (!digest.matches(DIGEST)) {
            throw invalid(name + ".sha256", "is not 64 hexadecimal digits");
        }
        return digest;
    }

    /** Checks a key, because clients cannot send one with other characters, or with a space at its end. */
    private static String text(String key, String name) {
        if (!key.matches("[\\x21-\\x7e]+")) {
            throw invalid(name + ".key", "is not one word of visible ASCII characters");
        }
        return key;
    }

    private static ConfigurationException invalid(String name, String complaint) {
        return new ConfigurationException("Setting " + name + " " + complaint, "Correct it");
    }
}
