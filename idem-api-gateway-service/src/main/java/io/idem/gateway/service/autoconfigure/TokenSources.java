package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.internal.intake.GatewayConfigurationException;
import org.springframework.beans.factory.ObjectProvider;

/** Whether it is clear who verifies the tokens. */
final class TokenSources {

    private static final String SETTINGS = "spring.security.oauth2.resourceserver.";

    private TokenSources() {}

    static void requireOne(ObjectProvider<?> jwts, ObjectProvider<?> opaque) {
        boolean withJwts = jwts.stream().findAny().isPresent();
        boolean withOpaque = opaque.stream().findAny().isPresent();
        if (!withJwts && !withOpaque) {
            throw new GatewayConfigurationException(
                    "idem.gateway.authentication=oauth2, and nothing says how tokens are verified",
                    "Set " + SETTINGS + "jwt.issuer-uri, jwt.jwk-set-uri or jwt.public-key-location, or " + SETTINGS
                            + "opaquetoken.introspection-uri with client-id and client-secret",
                    null);
        }
        if (withJwts && withOpaque) {
            throw new GatewayConfigurationException(
                    "idem.gateway.authentication=oauth2, and tokens would be verified in two ways",
                    "Set either " + SETTINGS + "jwt or " + SETTINGS
                            + "opaquetoken, or declare a SecurityFilterChain that decides",
                    null);
        }
    }
}
