package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.CorsContract;
import io.idem.http.contract.Runs;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@AppTest(
        value = CorsTest.Browsed.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.headers.retention=Idempotency-Retention",
            "idem.http.routes[0].path=/cors/**"
        })
class CorsTest extends CorsContract {

    private final Client client;

    CorsTest(App app) {
        super(app);
        this.client = app.client();
    }

    @Test
    void aRegisteredFilterJudgesTheAddressesOfItsPatternsOnly() {
        String key = Client.newKey();
        post("/cors/below/deep", key, ORIGIN);

        assertThat(post("/cors/below/deep", key, SECOND_ORIGIN).header("Access-Control-Allow-Origin"))
                .isEqualTo(SECOND_ORIGIN);
        assertThat(post("/cors/other", Client.newKey(), "https://evil.example.com")
                        .status())
                .isEqualTo(200);
        assertThat(post("/cors/below/deep", key, "https://evil.example.com").status())
                .isEqualTo(403);
    }

    /** Behind a filter in front, a handler, a dispatch, and an exception handler; the path that was sent may have rules of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"/latest", "/away", "/away/later", "/dispatched", "/failing", "/ruled"})
    void theRulesOfARouteHoldBehindAForward(String from) {
        for (String path : List.of("/cors/annotation", "/cors/configurer")) {
            String key = Client.newKey();
            post(from + path, key, ORIGIN);
            Client.Answer replay = post(from + path, key, SECOND_ORIGIN);

            assertThat(replay.replayed()).as(path).isTrue();
            assertThat(replay.header("Access-Control-Allow-Origin")).as(path).isEqualTo(SECOND_ORIGIN);
            assertThat(replay.response().headers().allValues("Access-Control-Expose-Headers"))
                    .as(path)
                    .anyMatch(names -> names.contains("Idempotency-Replayed"));
            assertThat(post(from + path, key, "https://evil.example.com").status())
                    .as(path)
                    .isEqualTo(403);
        }
    }

    /** Spring's filter itself takes no part in an ASYNC dispatch, nor in the forward of an exception handler. */
    @ParameterizedTest
    @ValueSource(strings = {"/latest", "/away", "/away/later", "/ruled"})
    void aFilterOfTheTargetsPathJudgesAForward(String from) {
        String key = Client.newKey();
        post(from + "/cors/below/deep", key, ORIGIN);
        Client.Answer replay = post(from + "/cors/below/deep", key, SECOND_ORIGIN);

        assertThat(replay.replayed()).isTrue();
        assertThat(replay.header("Access-Control-Allow-Origin")).isEqualTo(SECOND_ORIGIN);
        assertThat(post(from + "/cors/below/deep", key, "https://evil.example.com")
                        .status())
                .isEqualTo(403);
    }

    private Client.Answer post(String path, String key, String origin) {
        return client.post(path, key, request -> request.header("Origin", origin));
    }

    @RestController
    static class Handlers {

        private final Runs runs;

        Handlers(Runs runs) {
            this.runs = runs;
        }

        @PostMapping({"/{kind}/{way:filter|unordered|behind|configurer|written}", "/cors/other", "/cors/below/deep"})
        String plain(@RequestHeader(Client.KEY) String key) {
            return "run " + runs.enter(key);
        }

        @CrossOrigin(
                origins = {ORIGIN, SECOND_ORIGIN},
                allowedHeaders = "content-type")
        @PostMapping("/{kind}/annotation")
        String annotated(@RequestHeader(Client.KEY) String key) {
            return "run " + runs.enter(key);
        }
    }

    @Controller
    static class Elsewhere {

        @PostMapping("/away/{*path}")
        String away(@PathVariable String path) {
            return "forward:" + path;
        }

        @PostMapping("/away/later/{*path}")
        Callable<String> later(@PathVariable String path) {
            return () -> "forward:" + path;
        }

        @CrossOrigin({ORIGIN, SECOND_ORIGIN})
        @PostMapping("/ruled/{*path}")
        String ruled(@PathVariable String path) {
            return "forward:" + path;
        }

        @PostMapping("/failing/{*path}")
        String failing(@PathVariable String path) {
            throw new IllegalArgumentException(path);
        }

        @ExceptionHandler
        String failed(IllegalArgumentException failure) {
            return "forward:" + failure.getMessage();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Handlers.class, Elsewhere.class})
    static class Browsed implements WebMvcConfigurer {

        @Bean
        FilterRegistrationBean<CorsFilter> ordered() {
            FilterRegistrationBean<CorsFilter> registration = new FilterRegistrationBean<>(judging("/filter"));
            registration.setOrder(-1000);
            return registration;
        }

        @Bean
        CorsFilter unordered() {
            return judging("/unordered");
        }

        /** No bean, and registered behind idem's filter, for some addresses. */
        @Bean
        FilterRegistrationBean<CorsFilter> behind() {
            FilterRegistrationBean<CorsFilter> registration = new FilterRegistrationBean<>(judging(""));
            registration.setOrder(0);
            registration.addUrlPatterns("/cors/behind", "/open/behind", "/cors/below/*");
            return registration;
        }

        @Bean
        FilterRegistrationBean<Filter> written() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
                HttpServletResponse answer = (HttpServletResponse) response;
                answer.setHeader("Access-Control-Expose-Headers", "Link, retry-after");
                answer.setHeader("Access-Control-Allow-Origin", ORIGIN);
                answer.addHeader("Access-Control-Expose-Headers", "X-Own,Link");
                answer.setHeader("Access-Control-Allow-Headers", "content-type, idempotency-key");
                if (!((HttpServletRequest) request).getMethod().equals("OPTIONS")) {
                    chain.doFilter(request, response);
                }
            });
            registration.setOrder(-1000);
            registration.addUrlPatterns("/cors/written");
            return registration;
        }

        /** Gives requests to handlers of other paths. */
        @Bean
        FilterRegistrationBean<Filter> forwarding() {
            FilterRegistrationBean<Filter> forwarding = new FilterRegistrationBean<>((request, response, chain) -> {
                String sent = ((HttpServletRequest) request).getRequestURI();
                String target = sent.replaceFirst("/\\w+", "");
                if (sent.startsWith("/latest")) {
                    request.getRequestDispatcher(target).forward(request, response);
                } else {
                    request.startAsync().dispatch(target);
                }
            });
            forwarding.addUrlPatterns("/latest/*", "/dispatched/*");
            forwarding.setOrder(-200);
            return forwarding;
        }

        /** Others would have their preflights answered by it too. */
        private static CorsFilter judging(String end) {
            CorsConfiguration rules = new CorsConfiguration();
            rules.setAllowedOrigins(List.of(ORIGIN, SECOND_ORIGIN));
            rules.setAllowedMethods(List.of("POST"));
            rules.setAllowedHeaders(List.of("content-type"));
            UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/**", rules);
            return new CorsFilter(source) {
                @Override
                protected boolean shouldNotFilter(HttpServletRequest request) {
                    return !request.getRequestURI().endsWith(end);
                }
            };
        }

        @Override
        public void addCorsMappings(CorsRegistry registry) {
            registry.addMapping("/*/configurer")
                    .allowedOrigins(ORIGIN, SECOND_ORIGIN)
                    .allowedMethods("POST")
                    .allowedHeaders("content-type")
                    .exposedHeaders("Retry-After", "X-Own");
        }
    }
}
