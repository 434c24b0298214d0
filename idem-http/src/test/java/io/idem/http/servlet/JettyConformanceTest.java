package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ConformanceContract;
import io.idem.http.contract.ConformanceEndpoints;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;

@Tag("extended")
@AppTest(value = JettyConformanceTest.OnJetty.class, settings = ConformanceContract.SETTINGS)
class JettyConformanceTest extends ConformanceContract {

    JettyConformanceTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ConformanceEndpoints.class, Shop.Open.class})
    static class OnJetty {

        @Bean
        JettyServletWebServerFactory server() {
            return new JettyServletWebServerFactory();
        }

        /** Jetty may close a connection after a refusal that did not read the body, and the client's next request on it fails. */
        @Bean
        FilterRegistrationBean<Filter> oneRequestPerConnection() {
            FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
                ((HttpServletResponse) response).setHeader(HttpHeaders.CONNECTION, "close");
                chain.doFilter(request, response);
            });
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return filter;
        }
    }
}
