package io.idem.http.autoconfigure;

import io.idem.http.TenantResolver;

/** Whose keys an application's requests carry. */
enum TenantMode {
    /** The authenticated principal's. */
    PRINCIPAL {
        @Override
        TenantResolver resolver() {
            return TenantResolver.principal();
        }
    },
    /** The application has one tenant: every caller may see every other caller's answers. */
    SINGLE {
        @Override
        TenantResolver resolver() {
            return TenantResolver.single();
        }
    };

    abstract TenantResolver resolver();
}
