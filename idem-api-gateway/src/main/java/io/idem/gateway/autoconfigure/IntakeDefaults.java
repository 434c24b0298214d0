package io.idem.gateway.autoconfigure;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Defaults of Spring Boot's settings in an application whose settings make it an intake. An application with only coded
 * routes sets them itself, or {@code idem.gateway.enabled=true}.
 */
final class IntakeDefaults implements EnvironmentPostProcessor, Ordered {

    /**
     * Bounds the time for which Tomcat waits on a thread for the next byte of a client, by default a minute.
     * Connections between two requests use no thread and keep their idle time.
     */
    private static final Map<String, Object> CONNECTIONS =
            Map.of("server.tomcat.connection-timeout", "10s", "server.tomcat.keep-alive-timeout", "60s");

    /**
     * Turns on confirms and returns of RabbitMQ, and bounds the wait for a silent broker. The client library waits ten
     * minutes for each new channel, which is more than any client waits, and a channel that did not open in time is
     * released only with its connection, which the library's heartbeat ends after two minutes.
     */
    private static final Map<String, Object> PUBLISHERS = Map.of(
            "spring.rabbitmq.publisher-confirm-type", "correlated",
            "spring.rabbitmq.publisher-returns", "true",
            "spring.rabbitmq.connection-timeout", "5s",
            "spring.rabbitmq.channel-rpc-timeout", "5s",
            "spring.rabbitmq.requested-heartbeat", "20s");

    /**
     * Makes the intake's health a part of its readiness. Liveness does not depend on it, because a restart does not
     * bring a broker back.
     */
    private static final Map<String, Object> READINESS =
            Map.of("management.endpoint.health.group.readiness.include", "readinessState,idemIntake");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        boolean intake = environment.getProperty(
                "idem.gateway.enabled", Boolean.class, ConfiguredRoutesCondition.in(environment));
        if (intake) {
            add(environment, "idemGatewayConnections", CONNECTIONS);
            add(environment, "idemGatewayPublisherDefaults", PUBLISHERS);
            if (probes(environment) && reported(environment)) {
                add(environment, "idemGatewayReadiness", READINESS);
            }
        }
    }

    private static void add(ConfigurableEnvironment environment, String name, Map<String, Object> defaults) {
        environment.getPropertySources().addLast(new MapPropertySource(name, defaults));
    }

    private static boolean probes(ConfigurableEnvironment environment) {
        return environment.getProperty("management.endpoint.health.probes.enabled", Boolean.class, true);
    }

    private static boolean reported(ConfigurableEnvironment environment) {
        boolean all = environment.getProperty("management.health.defaults.enabled", Boolean.class, true);
        return environment.getProperty("management.health.idem-intake.enabled", Boolean.class, all);
    }

    /** Returns an order after the application's own settings. */
    @Override
    public int getOrder() {
        return ConfigDataEnvironmentPostProcessor.ORDER + 10;
    }
}
