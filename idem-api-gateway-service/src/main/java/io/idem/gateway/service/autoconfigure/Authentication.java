package io.idem.gateway.service.autoconfigure;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Who authenticates the callers. */
enum Authentication {
    /** The intake does, by the keys under {@code idem.gateway.api-keys}. */
    API_KEY,
    /**
     * Spring Security's resource server does, by the tokens of the authorization server under
     * {@code spring.security.oauth2.resourceserver}.
     */
    OAUTH2,
    /** The server does, by the certificates that it asks callers for with the connection; their common name is the tenant. */
    CLIENT_CERTIFICATE,
    /** Somebody else does, or nobody: then {@code idem.http.tenant} or a {@code TenantResolver} bean says whose keys requests carry. */
    NONE;

    /** Read in every spelling that the setting may have: one that is not understood must not turn authentication off. */
    static Authentication in(Environment environment) {
        return Binder.get(environment)
                .bind("idem.gateway.authentication", Authentication.class)
                .orElse(API_KEY);
    }
}
