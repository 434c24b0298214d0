package io.idem.http.contract;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;

/** An application on a real server, on a port of its own. */
public final class App implements AutoCloseable {

    /** The server of those tests only that declare it. */
    private static final String JETTY =
            "org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration,"
                    + "org.springframework.boot.jetty.autoconfigure.reactive.JettyReactiveWebServerAutoConfiguration";

    private final ConfigurableApplicationContext context;

    private App(ConfigurableApplicationContext context) {
        this.context = context;
    }

    public static App start(WebApplicationType type, Class<?> configuration, String... properties) {
        List<String> settings = new ArrayList<>(List.of(
                "server.port=0",
                "server.address=127.0.0.1",
                "spring.application.name=shop",
                "spring.main.banner-mode=off",
                "spring.autoconfigure.exclude=" + JETTY,
                "spring.mvc.async.request-timeout=10s",
                "springdoc.api-docs.enabled=false"));
        settings.addAll(List.of(properties));
        return new App(new SpringApplicationBuilder(configuration, OwnResources.class)
                .web(type)
                .properties(settings.toArray(String[]::new))
                .run());
    }

    public int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public Client client() {
        return new Client(this);
    }

    @Override
    public void close() {
        context.close();
    }

    /** Netty's resources are global by default, and the end of one application would end them for the others. */
    static class OwnResources {

        @Bean
        ReactorResourceFactory reactorResources() {
            ReactorResourceFactory resources = new ReactorResourceFactory();
            resources.setUseGlobalResources(false);
            resources.setShutdownQuietPeriod(Duration.ZERO);
            return resources;
        }
    }
}
