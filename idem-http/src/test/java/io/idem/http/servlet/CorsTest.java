package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.CorsContract;
import io.idem.http.contract.Runs;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
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

    CorsTest(App app) {
        super(app);
    }

    @RestController
    static class Handlers {

        private final Runs runs;

        Handlers(Runs runs) {
            this.runs = runs;
        }

        @PostMapping({"/{kind}/filter", "/{kind}/unordered", "/{kind}/configurer"})
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
                    .allowedHeaders("content-type");
        }
    }
}
