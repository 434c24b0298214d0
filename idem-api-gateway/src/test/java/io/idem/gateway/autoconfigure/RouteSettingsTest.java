package io.idem.gateway.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.gateway.internal.intake.SchemaChecks;
import io.idem.http.KeyRules;
import io.idem.http.RequestCheck;
import io.idem.http.RouteOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.core.io.Resource;

class RouteSettingsTest {

    private static final RequestCheck SCHEMA_CHECK = (request, body) -> Optional.empty();
    private static final RouteOptions DEFAULTS = RouteOptions.builder(
                    new Scope("http.intake"), ExecutionPolicy.defaults())
            .keyRules(new KeyRules(4, 64, KeyRules.Format.ANY))
            .waitFor(Duration.ofSeconds(1))
            .maxRequestBody(1_000)
            .maxResponseBody(1_000)
            .build();

    @Test
    void whatIsNotSetIsAsForAllRoutes() {
        RouteOptions options = options(Map.of());

        assertThat(options.toBuilder().check(DEFAULTS.check()).build()).isEqualTo(DEFAULTS);
        assertThat(options.check()).isNotSameAs(DEFAULTS.check());
    }

    @Test
    void everySettingChangesItsOption() {
        RouteOptions options = options(Map.of(
                "key-required", "false",
                "retention", "7d",
                "wait-for", "5s",
                "min-key-length", "16",
                "key-format", "uuid",
                "max-request-body", "2KB",
                "schema", "classpath:logback-test.xml",
                "tenant.name", "webhooks"));

        assertThat(options.required()).isFalse();
        assertThat(options.policy()).isEqualTo(DEFAULTS.policy().withRetention(Duration.ofDays(7)));
        assertThat(options.waitFor()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.keyRules()).isEqualTo(new KeyRules(16, 64, KeyRules.Format.UUID));
        assertThat(options.maxRequestBody()).isEqualTo(2_048);
        assertThat(options.check()).isSameAs(SCHEMA_CHECK);
        assertThat(options.tenants()).isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retention | 1s | Setting r.retention is not usable: retention PT1S is shorter than the lease PT30S",
                "wait-for | 31s | Setting r.wait-for is not usable: PT31S is longer than the lease PT30S",
                "wait-for | -1s | Setting r.wait-for is not usable: wait PT-1S is negative",
                "min-key-length | 65 | Setting r.min-key-length is not usable: min-key-length 65",
                "max-request-body | 3GB | Setting r.max-request-body is not usable",
                "max-request-body | -1B | Setting r.max-request-body is not usable: max-request-body -1 is negative",
                "schema | classpath:schemas/nobody.json | Setting r.schema is not usable: cannot be read",
                "schema | https://example.com/payment.json | Setting r.schema names neither a classpath: nor a file:",
                "tenant.name | '' | Setting r.tenant is empty"
            })
    void aValueThatCannotBeIsRefusedByName(String setting, String value, String complaint) {
        assertThatThrownBy(() -> options(Map.of(setting, value)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(complaint);
    }

    @Test
    void twoTenantRulesContradictEachOther() {
        assertThatThrownBy(() -> options(Map.of("tenant.name", "a", "tenant.claim", "b")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Setting r.tenant has both a name and a claim");
    }

    @Test
    void aClaimNeedsSpringSecuritysResourceServer() {
        assertThat(options(Map.of("tenant.claim", "org")).tenants()).isPresent();

        Thread thread = Thread.currentThread();
        ClassLoader everything = thread.getContextClassLoader();
        thread.setContextClassLoader(new FilteredClassLoader("org.springframework.security.oauth2"));
        try {
            assertThatThrownBy(() -> options(Map.of("tenant.claim", "org")))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("Setting r.tenant.claim reads tokens");
        } finally {
            thread.setContextClassLoader(everything);
        }
    }

    @Test
    void aSchemaNeedsTheService() {
        assertThatThrownBy(() -> options(Map.of("schema", "classpath:logback-test.xml"), null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("Setting r.schema needs idem-api-gateway-service");
    }

    private static RouteOptions options(Map<String, String> settings) {
        return options(settings, RouteSettingsTest::check);
    }

    private static RequestCheck check(Resource schema) {
        if (!schema.exists()) {
            throw new IllegalArgumentException("cannot be read");
        }
        return SCHEMA_CHECK;
    }

    private static RouteOptions options(Map<String, String> settings, @Nullable SchemaChecks schemas) {
        Map<String, String> all = new HashMap<>();
        all.put("r.path", "/v1/payments");
        settings.forEach((name, value) -> all.put("r." + name, value));
        IdemGatewayProperties.Route route = new Binder(new MapConfigurationPropertySource(all))
                .bind("r", IdemGatewayProperties.Route.class)
                .get();
        RouteOptions.Builder options = DEFAULTS.toBuilder();
        new RouteSettings(route, new SettingName("r"), schemas, null).options().accept(options);
        return options.build();
    }
}
