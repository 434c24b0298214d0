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
import org.junit.jupiter.api.Test;
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

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Handlers.class})
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
