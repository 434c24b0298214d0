package io.idem.gateway.autoconfigure;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Bounds how long Tomcat waits on a thread for the next byte of a client, where nobody has set it: a minute by itself. Connections between
 * two requests keep no thread and may be idle for as long as before.
 */
final class ConnectionDefaults implements EnvironmentPostProcessor, Ordered {

    private static final Map<String, Object> DEFAULTS =
            Map.of("server.tomcat.connection-timeout", "10s", "server.tomcat.keep-alive-timeout", "60s");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        boolean intake = environment.getProperty(
                "idem.gateway.enabled", Boolean.class, ConfiguredRoutesCondition.in(environment));
        if (intake) {
            environment.getPropertySources().addLast(new MapPropertySource("idemGatewayConnections", DEFAULTS));
        }
    }

    /** After the application's own settings are known. */
    @Override
    public int getOrder() {
        return ConfigDataEnvironmentPostProcessor.ORDER + 10;
    }
}
