package io.idem.gateway.autoconfigure;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Turns confirms and returns of RabbitMQ on in an intake that is one by its settings, where nobody has set them, and bounds how long a
 * silent broker is listened to: the client library's ten minutes for each new channel are more than any client of ours waits, and
 * a channel that did not open in time is only given back with its connection, which the library's heartbeat ends after two minutes. An
 * application with coded routes alone sets them itself, or {@code idem.gateway.enabled=true}.
 */
final class PublisherDefaults implements EnvironmentPostProcessor, Ordered {

    private static final Map<String, Object> DEFAULTS = Map.of(
            "spring.rabbitmq.publisher-confirm-type", "correlated",
            "spring.rabbitmq.publisher-returns", "true",
            "spring.rabbitmq.connection-timeout", "5s",
            "spring.rabbitmq.channel-rpc-timeout", "5s",
            "spring.rabbitmq.requested-heartbeat", "20s");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        boolean intake = environment.getProperty(
                "idem.gateway.enabled", Boolean.class, ConfiguredRoutesCondition.in(environment));
        if (intake) {
            environment.getPropertySources().addLast(new MapPropertySource("idemGatewayPublisherDefaults", DEFAULTS));
        }
    }

    /** After the application's own settings are known. */
    @Override
    public int getOrder() {
        return ConfigDataEnvironmentPostProcessor.ORDER + 10;
    }
}
