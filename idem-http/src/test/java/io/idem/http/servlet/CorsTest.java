package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** CORS as applications configure it, none of which names idem's headers. */
@AppTest(
        value = CorsTest.Browsed.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.retention-header=Idempotency-Retention",
            "idem.http.routes[0].path=/cors/**"
        })
class CorsTest {

    private static final String ORIGIN = "https://shop.example.com";

    private static final String SECOND_ORIGIN = "https://admin.example.com";

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    CorsTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "configurer", "annotation"})
    void theKeyIsAllowedWhereTheRequestIs(String way) {
        Answer answer = preflight("/cors/" + way, ORIGIN, "content-type, idempotency-key");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
        assertThat(allowed(answer)).contains("idempotency-key").contains("content-type");
        assertThat(allowed(preflight("/cors/" + way, ORIGIN, "idempotency-key")))
                .contains("idempotency-key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "configurer", "annotation"})
    void nothingIsAllowedThatWasNot(String way) {
        Answer otherHeader = preflight("/cors/" + way, ORIGIN, "x-other, idempotency-key");
        Answer otherOrigin = preflight("/cors/" + way, "https://evil.example.com", "idempotency-key");
        Answer unprotected = preflight("/open/" + way, ORIGIN, "idempotency-key");

        for (Answer answer : List.of(otherHeader, otherOrigin, unprotected)) {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(allowed(answer)).doesNotContain("idempotency-key");
        }
        assertThat(allowed(preflight("/cors/" + way, ORIGIN, "content-type"))).doesNotContain("idempotency-key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "configurer", "annotation"})
    void theMarkerIsExposedToAdmittedOrigins(String way) {
        Answer first = post("/cors/" + way, ORIGIN);
        Answer second = post("/cors/" + way, ORIGIN);

        assertThat(second.replayed()).isTrue();
        for (Answer answer : List.of(first, second)) {
            assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
            assertThat(exposed(answer)).contains("Idempotency-Replayed", "Idempotency-Retention");
        }
        assertThat(post("/cors/" + way, "https://evil.example.com").status()).isEqualTo(403);
        assertThat(exposed(post("/open/" + way, ORIGIN))).doesNotContain("Idempotency-Replayed");
        assertThat(exposed(post("/cors/" + way, "https://evil.example.com"))).doesNotContain("Idempotency-Replayed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "configurer", "annotation"})
    void replaysAndRefusalsAreForTheOriginThatAsks(String way) {
        post("/cors/" + way, ORIGIN);
        Answer replay = post("/cors/" + way, SECOND_ORIGIN);
        Answer refusal = client.send(client.request("/cors/" + way)
                .header("Origin", SECOND_ORIGIN)
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString("{\"other\":1}")));

        assertThat(replay.replayed()).isTrue();
        assertThat(refusal.status()).isEqualTo(422);
        for (Answer answer : List.of(replay, refusal)) {
            assertThat(answer.response().headers().allValues("Access-Control-Allow-Origin"))
                    .containsExactly(SECOND_ORIGIN);
        }
    }

    @Test
    void aPreflightTakesNoKey() {
        Answer preflight = client.send(
                preflightRequest("/cors/filter", ORIGIN, "idempotency-key").header(Client.KEY, key));

        assertThat(preflight.status()).isEqualTo(200);
        assertThat(runs.of(key)).isZero();
        assertThat(post("/cors/filter", ORIGIN).replayed()).isFalse();
    }

    private static String allowed(Answer answer) {
        return all(answer, "Access-Control-Allow-Headers").toLowerCase(Locale.ROOT);
    }

    private static String exposed(Answer answer) {
        return all(answer, "Access-Control-Expose-Headers");
    }

    private static String all(Answer answer, String header) {
        return String.join(", ", answer.response().headers().allValues(header));
    }

    private Answer post(String path, String origin) {
        return client.post(path, key, request -> request.header("Origin", origin));
    }

    private Answer preflight(String path, String origin, String headers) {
        return client.send(preflightRequest(path, origin, headers));
    }

    private HttpRequest.Builder preflightRequest(String path, String origin, String headers) {
        return client.request(path)
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", headers)
                .method("OPTIONS", BodyPublishers.noBody());
    }

    @RestController
    static class Handlers {

        private final Runs runs;

        Handlers(Runs runs) {
            this.runs = runs;
        }

        @PostMapping({"/cors/filter", "/open/filter", "/cors/configurer", "/open/configurer"})
        String plain(@RequestHeader(Client.KEY) String key) {
            return "run " + runs.enter(key);
        }

        @CrossOrigin(
                origins = {ORIGIN, SECOND_ORIGIN},
                allowedHeaders = "content-type")
        @PostMapping({"/cors/annotation", "/open/annotation"})
        String annotated(@RequestHeader(Client.KEY) String key) {
            return "run " + runs.enter(key);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Handlers.class})
    static class Browsed implements WebMvcConfigurer {

        @Bean
        FilterRegistrationBean<CorsFilter> cors() {
            CorsConfiguration rules = new CorsConfiguration();
            rules.setAllowedOrigins(List.of(ORIGIN, SECOND_ORIGIN));
            rules.setAllowedMethods(List.of("POST"));
            rules.setAllowedHeaders(List.of("content-type"));
            UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/**", rules);
            FilterRegistrationBean<CorsFilter> registration = new FilterRegistrationBean<>(new CorsFilter(source));
            registration.addUrlPatterns("/cors/filter", "/open/filter");
            registration.setOrder(-1000);
            return registration;
        }

        @Override
        public void addCorsMappings(CorsRegistry registry) {
            registry.addMapping("/*/configurer")
                    .allowedOrigins(ORIGIN, SECOND_ORIGIN)
                    .allowedMethods("POST")
                    .allowedHeaders("content-type");
        }
    }
}
