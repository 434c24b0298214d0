package io.idem.gateway.autoconfigure;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Makes the intake's health a part of its readiness, where nobody has said what readiness is. Liveness does not depend on it: a restart
 * brings no broker back.
 */
final class ReadinessDefaults implements EnvironmentPostProcessor, Ordered {

    private static final Map<String, Object> DEFAULTS =
            Map.of("management.endpoint.health.group.readiness.include", "readinessState,idemIntake");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        boolean intake = environment.getProperty(
                "idem.gateway.enabled", Boolean.class, ConfiguredRoutesCondition.in(environment));
        if (intake && probes(environment) && reported(environment)) {
            environment.getPropertySources().addLast(new MapPropertySource("idemGatewayReadiness", DEFAULTS));
        }
    }

    private static boolean probes(ConfigurableEnvironment environment) {
        return environment.getProperty("management.endpoint.health.probes.enabled", Boolean.class, true);
    }

    private static boolean reported(ConfigurableEnvironment environment) {
        boolean all = environment.getProperty("management.health.defaults.enabled", Boolean.class, true);
        return environment.getProperty("management.health.idem-intake.enabled", Boolean.class, all);
    }

    /** After the application's own settings are known. */
    @Override
    public int getOrder() {
        return ConfigDataEnvironmentPostProcessor.ORDER + 10;
    }
}
