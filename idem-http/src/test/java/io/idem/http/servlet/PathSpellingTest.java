package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.RawConnection;
import io.idem.http.contract.Runs;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/** Other spellings of a protected path, in an application without Spring Security, whose firewall would refuse most of them. */
@AppTest(
        value = PathSpellingTest.Unguarded.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/v1/payments",
            "idem.http.routes[1].path=/v1/refunds",
            "idem.http.routes[2].path=/v1/payouts/**",
            "idem.http.routes[3].path=/v1/transfer.do",
            "idem.http.routes[4].path=/orders"
        })
class PathSpellingTest {

    private final App app;
    private final Client client;
    private final Runs runs;

    PathSpellingTest(App app) {
        this.app = app;
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/payments",
                "//v1/payments",
                "/v1//payments",
                "/v1///payments",
                "/./v1/payments",
                "/v1/./payments",
                "/v1/%2e/payments",
                "/x/../v1/payments",
                "/x/%2e%2e/v1/payments",
                "/x/%2E./v1/payments",
                "/x/..;/v1/payments",
                "/x/..;a=b/v1/payments",
                "/x/.;/../../v1/payments",
                "/x;/../v1/payments",
                "/v1;a=b/payments",
                "/v1/payments;a=b",
                "/v1/payments;",
                "/;/v1/payments",
                "/v1/;a=b/payments",
                "/%76%31/p%61yments",
                "/x/%2e%2e/%76%31/payments",
                "/V1/Payments",
                "/v1/payments/",
                "/v1/payments/.",
                "/v1/payments/x/..",
                "/v1%2fpayments",
                "/v1%5cpayments",
                "/v1\\payments",
                "/v1/refunds",
                "/v1/refunds/",
                "/v1/refunds/7",
                "/v1//refunds/7",
                "/x/../v1/refunds;a=b/7",
                "/v1/payouts",
                "/v1/payouts/7",
                "/v1/payouts//7",
                "//v1/payouts/7",
                "/v1/transfer.do",
                "/v1/./transfer.do",
                "//v1/transfer.do",
                "/v1/transfer%2edo",
                "/v1/transfer.do;a=b",
                "/orders",
                "/orders/",
                "/Orders",
                "/ORDERS/",
                "//orders",
                "/x/../orders",
                "/orders;a=b"
            })
    void noSpellingOfAProtectedPathRunsWithoutAKey(String path) throws IOException {
        int before = runs.of("none");

        int status = post(path);

        assertThat(runs.of("none")).as("runs after POST %s", path).isEqualTo(before);
        assertThat(status).as("POST %s", path).isBetween(400, 499);
    }

    @Test
    void theRetryUnderAnotherSpellingRunsNothing() {
        String key = Client.newKey();
        assertThat(client.post("/v1/payments", key).body()).isEqualTo("run 1");

        client.post("//v1/payments", key);

        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void otherPathsAreLeftAlone() throws IOException {
        assertThat(post("/open")).isEqualTo(200);
        assertThat(post("/x/../open")).isEqualTo(200);
        assertThat(client.post("/v1/payments", Client.newKey()).status()).isEqualTo(200);
        assertThat(client.post("/v1/refunds/7", Client.newKey()).status()).isEqualTo(200);
        assertThat(client.post("/v1/transfer.do", Client.newKey()).status()).isEqualTo(200);
        assertThat(client.post("/orders/", Client.newKey()).status()).isEqualTo(200);
        assertThat(client.post("/Orders", Client.newKey()).status()).isEqualTo(200);
    }

    private int post(String path) throws IOException {
        try (RawConnection connection = new RawConnection(app)) {
            connection.send("POST " + path + " HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\n\r\n");
            return connection.status();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration(
            exclude = {
                SecurityAutoConfiguration.class,
                ServletWebSecurityAutoConfiguration.class,
                SecurityFilterAutoConfiguration.class,
                UserDetailsServiceAutoConfiguration.class
            })
    @Import({Shop.Parts.class, Orders.class})
    static class Unguarded implements WebMvcConfigurer {

        @Override
        public void configurePathMatch(PathMatchConfigurer paths) {
            PathPatternParser parser = new PathPatternParser();
            parser.setCaseSensitive(false);
            paths.setPatternParser(parser);
        }

        @Bean
        FilterRegistrationBean<UrlHandlerFilter> withoutTrailingSlash() {
            return new FilterRegistrationBean<>(
                    UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build());
        }

        @Bean
        ServletRegistrationBean<HttpServlet> payments(Runs runs) {
            return servlet("payments", runs, "/v1/payments");
        }

        @Bean
        ServletRegistrationBean<HttpServlet> refunds(Runs runs) {
            return servlet("refunds", runs, "/v1/refunds/*", "/v1/payouts/*");
        }

        @Bean
        ServletRegistrationBean<HttpServlet> transfers(Runs runs) {
            return servlet("transfers", runs, "*.do");
        }

        @Bean
        ServletRegistrationBean<HttpServlet> open(Runs runs) {
            return servlet("open", runs, "/open");
        }

        private static ServletRegistrationBean<HttpServlet> servlet(String name, Runs runs, String... mappings) {
            HttpServlet servlet = new HttpServlet() {
                @Override
                protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                    response.getOutputStream().print("run " + runs.enter(request.getHeader(Client.KEY)));
                }
            };
            ServletRegistrationBean<HttpServlet> registration = new ServletRegistrationBean<>(servlet, mappings);
            registration.setName(name);
            return registration;
        }
    }

    @RestController
    static class Orders {

        private final Runs runs;

        Orders(Runs runs) {
            this.runs = runs;
        }

        @PostMapping("/orders")
        String create(HttpServletRequest request) {
            return "run " + runs.enter(request.getHeader(Client.KEY));
        }
    }
}
