package io.idem.gateway.autoconfigure;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ConfigurationException;
import io.idem.gateway.internal.intake.ScopedRoute;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpMethod;
import org.springframework.mock.env.MockEnvironment;

class ServiceSettingsTest {

    private static final ScopedRoute.All NONE = new ScopedRoute.All(List.of());

    @ParameterizedTest
    @CsvSource({
        "idem.gateway.authentication, none",
        "idem.gateway.api-keys[0].tenant, north",
        "idem.gateway.operators[0], ops",
        "idem.gateway.open-paths[0], /open",
        "idem.gateway.limits.requests, 5",
        "idem.gateway.openapi.enabled, false"
    })
    void aSettingOfTheServiceIsRefusedWithoutIt(String name, String value) {
        assertThatThrownBy(() -> ServiceSettings.requireNone(new MockEnvironment().withProperty(name, value), NONE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("needs idem-api-gateway-service");
    }

    @Test
    void aRequiredScopeIsRefusedWithoutTheService() {
        ScopedRoute.All scoped = new ScopedRoute.All(
                List.of(new ScopedRoute("idem.gateway.routes[0].required-scope", HttpMethod.POST, null, "pay")));

        assertThatThrownBy(() -> ServiceSettings.requireNone(new MockEnvironment(), scoped))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("Setting idem.gateway.routes[0].required-scope needs idem-api-gateway-service");
    }

    @Test
    void otherSettingsAreTheLibrarys() {
        MockEnvironment environment = new MockEnvironment().withProperty("idem.gateway.routes[0].path", "/v1/payments");

        assertThatCode(() -> ServiceSettings.requireNone(environment, NONE)).doesNotThrowAnyException();
    }
}
