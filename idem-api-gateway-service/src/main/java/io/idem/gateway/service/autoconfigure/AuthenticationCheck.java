package io.idem.gateway.service.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.gateway.internal.intake.ScopedRoute;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Checks settings of the authentication that contradict each other, or that would have no effect. */
record AuthenticationCheck(IdemGatewayServiceProperties properties, ScopedRoute.All scoped, Environment environment) {

    private static final String RESOURCE_SERVER =
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerAutoConfiguration";
    private static final String WEB_SECURITY = "org.springframework.security.web.SecurityFilterChain";
    private static final String CLIENT_AUTH = "server.ssl.client-auth";
    private static final String TENANT = "idem.http.tenant";

    /**
     * Checks the settings.
     *
     * @param ownChain whether the application has a Spring Security chain of its own
     * @param resolver whether a bean resolves the tenant of requests
     */
    void check(boolean ownChain, boolean resolver) {
        Authentication authentication = properties.authentication();
        if (authentication != Authentication.API_KEY && !properties.apiKeys().isEmpty()) {
            throw new ConfigurationException(
                    "idem.gateway.api-keys has entries, and idem.gateway.authentication=" + name(authentication)
                            + " would not ask for them",
                    "Remove them, or set idem.gateway.authentication=api-key");
        }
        if (authentication == Authentication.OAUTH2) {
            require(RESOURCE_SERVER, "oauth2", "spring-boot-starter-security-oauth2-resource-server");
        }
        if (authentication == Authentication.CLIENT_CERTIFICATE) {
            requireCertificatesAreAskedFor();
        }
        if (authentication == Authentication.API_KEY) {
            requireNoOtherTenant();
        }
        if (authentication == Authentication.NONE && !ownChain && !resolver) {
            requireTenant();
        }
        requireScopesAreAskedFor(ownChain);
        requireOperatorsAreKnown(ownChain);
    }

    /**
     * Refuses operators that no authentication knows, or whose name is misspelt, because they would be refused without
     * an explanation.
     */
    private void requireOperatorsAreKnown(boolean ownChain) {
        Authentication authentication = properties.authentication();
        if (properties.operators().isEmpty()) {
            return;
        }
        if (authentication == Authentication.NONE || (ownChain && authentication != Authentication.API_KEY)) {
            throw new ConfigurationException(
                    "idem.gateway.operators is set, and the intake does not authenticate its callers",
                    "Remove it and guard the endpoints in your SecurityFilterChain, or give them a management.server.port");
        }
        Set<String> owners = properties.apiKeys().stream()
                .map(IdemGatewayServiceProperties.ApiKey::tenant)
                .collect(Collectors.toSet());
        properties.operators().stream()
                .filter(operator -> authentication == Authentication.API_KEY && !owners.contains(operator))
                .findFirst()
                .ifPresent(unknown -> {
                    throw new ConfigurationException(
                            "idem.gateway.operators has " + unknown + ", who owns no API key",
                            "Add idem.gateway.api-keys[].tenant=" + unknown + " with .key or .sha256, or remove it");
                });
    }

    private static void require(String type, String authentication, String starter) {
        if (!ClassUtils.isPresent(type, ClassUtils.getDefaultClassLoader())) {
            throw new ConfigurationException(
                    "idem.gateway.authentication=" + authentication
                            + " needs a part of Spring Security that is not on the" + " class path",
                    "Add " + starter + ", or choose another idem.gateway.authentication");
        }
    }

    /**
     * Refuses a server that requests no certificates, for instance behind a proxy that ends TLS: every request would be
     * refused.
     */
    private void requireCertificatesAreAskedFor() {
        require(WEB_SECURITY, "client-certificate", "spring-boot-starter-security");
        String asked = environment.getProperty(CLIENT_AUTH, "none");
        if (!asked.equalsIgnoreCase("need") && !asked.equalsIgnoreCase("want")) {
            throw new ConfigurationException(
                    "idem.gateway.authentication=client-certificate, and the server asks nobody for a certificate",
                    "Set " + CLIENT_AUTH
                            + "=need, and server.ssl.bundle to one whose trust store has your clients' CA alone");
        }
    }

    /** Refuses another setting for the tenant, which would have no effect: the filter of the API keys decides on it. */
    private void requireNoOtherTenant() {
        String tenant = environment.getProperty(TENANT, "");
        if (!tenant.isBlank() && !tenant.strip().equalsIgnoreCase("principal")) {
            throw new ConfigurationException(
                    "idem.gateway.authentication=api-key makes the owner of the API key the tenant, and " + TENANT + "="
                            + tenant + " says otherwise",
                    "Remove " + TENANT + ", or set idem.gateway.authentication to what it needs");
        }
    }

    private void requireTenant() {
        if (environment.getProperty(TENANT, "").isBlank()) {
            throw new ConfigurationException(
                    "idem.gateway.authentication=none, and it is not decided whose idempotency keys the requests carry",
                    "Set " + TENANT + ", or add a SecurityFilterChain or a TenantResolver bean");
        }
    }

    private void requireScopesAreAskedFor(boolean ownChain) {
        boolean asked = properties.authentication() == Authentication.OAUTH2 && !ownChain;
        scoped.routes().stream().filter(route -> !asked).findFirst().ifPresent(route -> {
            throw new ConfigurationException(
                    "Setting " + route.setting() + " would not be asked for",
                    ownChain
                            ? "Ask for it in your SecurityFilterChain and remove the setting, or remove the chain"
                            : "Set idem.gateway.authentication=oauth2, or remove it");
        });
    }

    private static String name(Authentication authentication) {
        return authentication.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
