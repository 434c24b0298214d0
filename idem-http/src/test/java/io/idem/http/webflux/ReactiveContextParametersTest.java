package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.http.contract.App;
import io.idem.http.contract.Client;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurationSupport;

/** The context of a request in applications whose WebFlux asks no {@code WebFluxConfigurer}, and while the filter is off. */
class ReactiveContextParametersTest {

    private final String key = Client.newKey();

    private static App start(Class<?> application, String enabled) {
        return App.start(
                WebApplicationType.REACTIVE,
                application,
                "idem.http.tenant=SINGLE",
                "idem.http.routes[0].path=/**",
                "idem.http.enabled=" + enabled);
    }

    @Test
    void anApplicationThatConfiguresWebFluxItselfHasTheContext() {
        try (App app = start(OwnWebFlux.class, "true")) {
            assertThat(app.client().post("/parameter", key).body()).isEqualTo(key.replace("\"", ""));
            assertThat(app.client().post("/throws", Client.newKey()).body()).isEqualTo("true");
        }
    }

    @Test
    void parametersAreNullWhileTheFilterIsOff() {
        try (App app = start(Shopping.class, "false")) {
            assertThat(app.client().post("/parameter", key).body()).isEqualTo("null");
            assertThat(app.client().post("/throws", key).body()).isEqualTo("false");
        }
    }

    @RestController
    static class Handlers {

        @PostMapping("/parameter")
        String parameter(@Nullable IdempotencyKey key, @Nullable IdempotencyContext context) {
            return key == null ? String.valueOf(context) : key.value();
        }

        @PostMapping("/throws")
        String fails() {
            throw new UnsupportedOperationException("ordered by a test");
        }

        @ExceptionHandler(UnsupportedOperationException.class)
        String answer(@Nullable IdempotencyContext context) {
            return String.valueOf(context != null);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, Handlers.class})
    static class Shopping {}

    @Import(Shopping.class)
    @Configuration(proxyBeanMethods = false)
    static class OwnWebFlux extends WebFluxConfigurationSupport {}
}
