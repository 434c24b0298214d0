package io.idem.gateway.service;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.Callable;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** Other paths of an intake's routes: what an application forwards or dispatches to them, behind authentication. */
@Configuration(proxyBeanMethods = false)
@Controller
class Aliases {

    @PostMapping({"/handler/{*path}", "/open/{*path}"})
    String handler(@PathVariable String path) {
        return "forward:" + path;
    }

    @PostMapping("/handler/later/{*path}")
    Callable<String> later(@PathVariable String path) {
        return () -> "forward:" + path;
    }

    @PostMapping("/failing/{*path}")
    String failing(@PathVariable String path) {
        throw new IllegalArgumentException(path);
    }

    @ExceptionHandler
    String failed(IllegalArgumentException failure) {
        return "forward:" + failure.getMessage();
    }

    @Bean
    FilterRegistrationBean<Filter> forwarding() {
        FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
            String sent = ((HttpServletRequest) request).getRequestURI();
            String target = sent.replaceFirst("/\\w+", "");
            if (sent.startsWith("/filter")) {
                request.getRequestDispatcher(target).forward(request, response);
            } else {
                request.startAsync().dispatch(target);
            }
        });
        filter.addUrlPatterns("/filter/*", "/dispatched/*");
        filter.setOrder(-55);
        return filter;
    }
}
