package io.idem.http.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;

/** The server of applications that import it. */
final class JettyServer {

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
