package io.idem.benchmarks.listener;

import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts an ordinary, auto-configured application with one listener. */
final class Listening {

    private Listening() {}

    static ConfigurableApplicationContext start(Class<?> listener, Meter meter, Map<String, Object> settings) {
        return new SpringApplicationBuilder(Application.class, listener)
                .web(WebApplicationType.NONE)
                .properties(settings)
                .initializers(context -> context.getBeanFactory().registerSingleton("meter", meter))
                .run();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
