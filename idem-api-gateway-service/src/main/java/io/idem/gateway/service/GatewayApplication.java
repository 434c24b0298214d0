package io.idem.gateway.service;

import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;

/**
 * The intake as a service by itself: routes, API keys and servers come from the settings alone. On SIGTERM it lets the requests finish
 * that it has taken.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class GatewayApplication {

    static final Map<String, Object> DEFAULTS = Map.of(
            "idem.gateway.enabled",
            true,
            "server.shutdown",
            "graceful",
            "spring.application.name",
            "intake",
            // Forms and multipart bodies are read before anybody has authenticated, and no route takes one.
            "spring.mvc.formcontent.filter.enabled",
            false,
            "spring.servlet.multipart.enabled",
            false);

    /** Starts it. */
    public static void main(String[] arguments) {
        new SpringApplicationBuilder(GatewayApplication.class)
                .properties(DEFAULTS)
                .run(arguments);
    }
}
