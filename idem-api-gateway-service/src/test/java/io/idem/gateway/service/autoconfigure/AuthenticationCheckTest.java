package io.idem.gateway.service.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.idem.ConfigurationException;
import io.idem.gateway.internal.intake.ScopedRoute;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.mock.env.MockEnvironment;

class AuthenticationCheckTest {

    @ParameterizedTest
    @CsvSource({
        "oauth2, spring-boot-starter-security-oauth2-resource-server",
        "client-certificate, spring-boot-starter-security"
    })
    void whatIsNotOnTheClassPathIsNamed(String authentication, String starter) {
        MockEnvironment environment = new MockEnvironment()
                .withProperty("idem.gateway.authentication", authentication)
                .withProperty("server.ssl.client-auth", "need");
        AuthenticationCheck check = new AuthenticationCheck(
                Binder.get(environment).bindOrCreate("idem.gateway", IdemGatewayServiceProperties.class),
                new ScopedRoute.All(List.of()),
                environment);

        ConfigurationException complaint =
                catchThrowableOfType(ConfigurationException.class, () -> withoutSecurity(check));

        assertThat(complaint).hasMessageContaining("idem.gateway.authentication=" + authentication);
        assertThat(complaint.action()).contains("Add " + starter + ",");
    }

    private static void withoutSecurity(AuthenticationCheck check) {
        Thread thread = Thread.currentThread();
        ClassLoader all = thread.getContextClassLoader();
        thread.setContextClassLoader(
                new FilteredClassLoader("org.springframework.security", "org.springframework.boot.security"));
        try {
            check.check(false, false);
        } finally {
            thread.setContextClassLoader(all);
        }
    }
}
