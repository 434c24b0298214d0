package io.idem.http.autoconfigure;

import io.idem.Scope;
import io.idem.internal.RefusedSettingException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** The decisions without which no request can be protected. Checked only if the application has a protected route. */
record Preconditions(IdemHttpProperties properties, Environment environment, boolean ownTenantResolver) {

    private static final String SPRING_SECURITY = "org.springframework.security.web.SecurityFilterChain";

    /** Checks the settings and returns the scope of routes that name none. */
    Scope check() {
        checkTenant();
        return scope();
    }

    private void checkTenant() {
        boolean decided = ownTenantResolver
                || properties.tenant() != null
                || ClassUtils.isPresent(SPRING_SECURITY, ClassUtils.getDefaultClassLoader());
        if (!decided) {
            throw new RefusedSettingException(
                    "The tenants of the idempotency keys are not decided: nothing authenticates the requests",
                    "Set idem.http.tenant=SINGLE if the application has one tenant only, idem.http.tenant=PRINCIPAL if the"
                            + " server authenticates, or add Spring Security or a TenantResolver bean.");
        }
    }

    private Scope scope() {
        String application = environment.getProperty("spring.application.name", "");
        if (properties.scope() == null && application.isBlank()) {
            throw noScope("neither idem.http.scope nor spring.application.name is set", null);
        }
        String name = properties.scope() != null ? properties.scope() : "http." + application;
        try {
            return new Scope(name);
        } catch (IllegalArgumentException invalid) {
            throw noScope("\"" + name + "\" does not match " + Scope.SYNTAX, invalid);
        }
    }

    private static RefusedSettingException noScope(String why, @Nullable Throwable cause) {
        return new RefusedSettingException(
                "The idempotency filter has no usable scope: " + why,
                "Set idem.http.scope, or a spring.application.name that fits after \"http.\".",
                cause);
    }
}
