package io.idem.http.autoconfigure;

import io.idem.http.TenantResolver;
import io.idem.http.autoconfigure.IdemHttpProperties.TenantFrom;

/** Whose keys an application's requests carry. */
enum TenantMode {
    /** The authenticated principal's, by issuer and name. */
    PRINCIPAL {
        @Override
        TenantResolver resolver(TenantFrom from) {
            return TenantResolver.principal();
        }
    },
    /** The authenticated principal's, by name alone: for applications that trust one issuer. */
    PRINCIPAL_NAME {
        @Override
        TenantResolver resolver(TenantFrom from) {
            return TenantResolver.principalName();
        }
    },
    /** The application has one tenant: every caller may see every other caller's answers. */
    SINGLE {
        @Override
        TenantResolver resolver(TenantFrom from) {
            return TenantResolver.single();
        }
    },
    /** The one that a claim of the verified token names. */
    JWT_CLAIM {
        @Override
        TenantResolver resolver(TenantFrom from) {
            return TenantSources.claim(from);
        }
    },
    /** The one whose API key the request carries. */
    API_KEY {
        @Override
        TenantResolver resolver(TenantFrom from) {
            return TenantSources.apiKeys(from);
        }
    },
    /** The one that a trusted proxy names in a header. */
    PROXY_HEADER {
        @Override
        TenantResolver resolver(TenantFrom from) {
            return TenantSources.proxyHeader(from);
        }
    };

    /**
     * Makes the resolver.
     *
     * @throws HttpConfigurationException if a setting that it needs is missing or not valid
     */
    abstract TenantResolver resolver(TenantFrom from);
}
