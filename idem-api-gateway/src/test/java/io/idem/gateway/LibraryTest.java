package io.idem.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ConfigurationException;
import io.idem.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.ServerResponse;

/** The intake in an application that has the library without the service. */
@Tag("servers")
class LibraryTest {

    @Test
    void aRouteRunsOnceAndIsReplayed() throws Exception {
        try (ConfigurableApplicationContext application = start()) {
            HttpResponse<String> first = post(application);
            HttpResponse<String> second = post(application);

            assertThat(first.statusCode()).isEqualTo(202);
            assertThat(second.statusCode()).isEqualTo(202);
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(second.headers().firstValue("Idempotency-Replayed")).contains("true");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "idem.gateway.authentication=api-key",
                "idem.gateway.api-keys[0].tenant=north",
                "idem.gateway.limits.requests=5",
                "idem.gateway.openapi.path=/api.json"
            })
    @Tag("extended")
    void aSettingOfTheServiceEndsTheStart(String setting) {
        assertThatThrownBy(() -> start(setting).close())
                .hasRootCauseInstanceOf(ConfigurationException.class)
                .rootCause()
                .hasMessageContaining("needs idem-api-gateway-service");
    }

    private static ConfigurableApplicationContext start(String... settings) {
        Stream<String> all = Stream.concat(
                Stream.of(
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "spring.application.name=intake",
                        "idem.http.tenant=single"),
                Stream.of(settings));
        return new SpringApplicationBuilder(Application.class)
                .run(all.map(setting -> "--" + setting).toArray(String[]::new));
    }

    private static HttpResponse<String> post(ConfigurableApplicationContext application)
            throws IOException, InterruptedException {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/payments"))
                .header("Idempotency-Key", "key-of-a-test")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {
                SecurityAutoConfiguration.class,
                ServletWebSecurityAutoConfiguration.class,
                SecurityFilterAutoConfiguration.class,
                UserDetailsServiceAutoConfiguration.class
            })
    static class Application {

        @Bean
        InMemoryIdempotencyStore store() {
            return new InMemoryIdempotencyStore();
        }

        @Bean
        IntakeRouter payments() {
            return IntakeRouter.create()
                    .POST("/v1/payments", request -> ServerResponse.accepted().body(Map.of("id", request.id())));
        }
    }
}
