package io.idem.http.servlet;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application on a real Tomcat, on a port of its own. */
final class App implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private App(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static App start(Class<?> configuration, String... properties) {
        List<String> settings = new ArrayList<>(List.of(
                "server.port=0",
                "server.address=127.0.0.1",
                "spring.application.name=shop",
                "spring.main.banner-mode=off",
                "spring.mvc.async.request-timeout=10s"));
        settings.addAll(List.of(properties));
        return new App(new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.SERVLET)
                .properties(settings.toArray(String[]::new))
                .run());
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    Client client() {
        return new Client(this);
    }

    @Override
    public void close() {
        context.close();
    }
}
