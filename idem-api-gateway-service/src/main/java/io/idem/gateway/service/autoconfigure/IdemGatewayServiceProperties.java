package io.idem.gateway.service.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.gateway} of what the service adds to an intake.
 *
 * @param authentication who authenticates the callers: api-key, oauth2,
 *     client-certificate or none
 * @param apiKeys whose the API keys are
 * @param operators names of the callers, as authentication knows them, who may use Spring Boot's endpoints on the intake's port beyond
 *     the open ones: owners of API keys, subjects of tokens, common names of certificates; default nobody
 * @param openPaths patterns of paths that need no authentication
 * @param openapi the intake's OpenAPI description
 */
@ConfigurationProperties("idem.gateway")
record IdemGatewayServiceProperties(
        @DefaultValue("api-key") Authentication authentication,
        @DefaultValue List<ApiKey> apiKeys,
        @DefaultValue List<String> operators,
        @DefaultValue({"/idem/**", "/actuator/health/**"}) List<String> openPaths,
        @DefaultValue OpenApi openapi) {

    /**
     * The intake's OpenAPI description.
     *
     * @param enabled whether there is one
     * @param path where it is
     * @param title of the API; default spring.application.name
     * @param version of the API
     */
    record OpenApi(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("/idem/openapi.json") String path,
            @Nullable String title,
            @DefaultValue("1") String version) {}

    /**
     * A tenant's API key, itself or its digest.
     *
     * @param tenant who authenticates with it
     * @param key the key
     * @param sha256 its SHA-256 digest in hexadecimal digits
     */
    record ApiKey(
            String tenant, @Nullable String key, @Nullable String sha256) {

        /** Returns the tenant, without the API key, which is a secret. */
        @Override
        public String toString() {
            return "ApiKey[tenant=" + tenant + "]";
        }
    }
}
