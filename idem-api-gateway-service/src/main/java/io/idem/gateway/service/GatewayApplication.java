package io.idem.gateway.service;

import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;

/**
 * The intake as a service: routes, API keys and servers come from the settings alone. On SIGTERM it finishes the
 * requests that it has accepted.
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
            // Forms and multipart bodies would be read before authentication, and no route accepts them.
            "spring.mvc.formcontent.filter.enabled",
            false,
            "spring.servlet.multipart.enabled",
            false);

    /** Starts the service; the arguments are settings of Spring Boot. */
    public static void main(String[] arguments) {
        new SpringApplicationBuilder(GatewayApplication.class)
                .properties(DEFAULTS)
                .run(arguments);
    }
}
