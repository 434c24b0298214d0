package io.idem.gateway.service.autoconfigure;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The part of the system that authenticates callers. */
enum Authentication {
    /** The intake, with the keys under {@code idem.gateway.api-keys}. */
    API_KEY,
    /**
     * Spring Security's resource server, with the tokens of the authorization server under
     * {@code spring.security.oauth2.resourceserver}.
     */
    OAUTH2,
    /** The server, with the certificates that it requests from callers; their common name is the tenant. */
    CLIENT_CERTIFICATE,
    /**
     * A system in front of the intake, or nothing: {@code idem.http.tenant} or a {@code TenantResolver} bean
     * gives the tenant of requests.
     */
    NONE;

    /**
     * Reads the setting in every spelling that Spring Boot accepts: an unknown spelling must not turn authentication
     * off.
     */
    static Authentication in(Environment environment) {
        return Binder.get(environment)
                .bind("idem.gateway.authentication", Authentication.class)
                .orElse(API_KEY);
    }
}
