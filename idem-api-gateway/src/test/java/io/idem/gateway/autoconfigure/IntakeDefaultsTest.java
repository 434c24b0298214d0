package io.idem.gateway.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.mock.env.MockEnvironment;

class IntakeDefaultsTest {

    private static final String TIMEOUT = "server.tomcat.connection-timeout";

    private final MockEnvironment environment = new MockEnvironment();

    @Test
    void anIntakeHasThem() {
        process(environment.withProperty("idem.gateway.enabled", "true"));

        assertThat(environment.getProperty(TIMEOUT)).isEqualTo("10s");
    }

    @Test
    void theApplicationsOwnCount() {
        process(environment.withProperty("idem.gateway.enabled", "true").withProperty(TIMEOUT, "3s"));

        assertThat(environment.getProperty(TIMEOUT)).isEqualTo("3s");
    }

    @Test
    void anApplicationWithoutIntakeIsLeftAlone() {
        process(environment);

        assertThat(environment.getProperty(TIMEOUT)).isNull();
    }

    private static void process(MockEnvironment environment) {
        new IntakeDefaults().postProcessEnvironment(environment, new SpringApplication());
    }
}
