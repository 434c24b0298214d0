package com.example.shop;

import com.example.shop.scanned.ScannedGuard;
import io.idem.http.IdempotentRoute;
import io.idem.http.TenantResolver;
import io.idem.http.contract.FaultyStore;
import io.idem.http.internal.servlet.IdempotencyFilterParts;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.server.servlet.context.ServletComponentScan;
import org.springframework.boot.web.servlet.DelegatingFilterProxyRegistrationBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.ui.ModelMap;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.context.request.WebRequestInterceptor;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CompositeFilter;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.filter.DelegatingFilterProxy;
import org.springframework.web.filter.GenericFilterBean;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.handler.UserRoleAuthorizationInterceptor;
import org.springframework.web.servlet.i18n.LocaleChangeInterceptor;

/** Servlet applications with a filter that admits only callers who send {@code X-Pass}, each registered in its own way. */
public final class ServletGuards {

    private ServletGuards() {}

    /** A filter that admits callers with a pass. */
    public static class Guard extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            guard(request, response, chain);
        }
    }

    /** A guard that is called before idem's filter. */
    @Order(-60)
    static class EarlyGuard extends Guard {}

    private static void guard(ServletRequest request, ServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (((HttpServletRequest) request).getHeader("X-Pass") == null) {
            ((HttpServletResponse) response).setStatus(401);
        } else {
            chain.doFilter(request, response);
        }
    }

    @RestController
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Api {

        @Bean
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.csrf(CsrfConfigurer::disable)
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }

        @Bean
        FaultyStore store() {
            return new FaultyStore();
        }

        @Bean
        @ConditionalOnProperty("single-route")
        IdempotentRoute singleRoute() {
            return IdempotentRoute.post("/orders/single").with(options -> options.tenants(TenantResolver.single()));
        }

        @PostMapping("/orders")
        String order() {
            return "secret";
        }
    }

    @Import(Api.class)
    public static class Unordered {

        @Bean
        Guard unordered() {
            return new Guard();
        }
    }

    @Import(Api.class)
    public static class Lambda {

        @Bean
        Filter lambda() {
            return ServletGuards::guard;
        }
    }

    @Import(Api.class)
    public static class Anonymous {

        @Bean
        Filter anonymous() {
            return new GenericFilterBean() {
                @Override
                public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                        throws IOException, ServletException {
                    guard(request, response, chain);
                }
            };
        }
    }

    @Import(Api.class)
    public static class Proxied {

        @Bean
        Filter proxied() {
            Guard guard = new Guard();
            return (Filter) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Filter.class},
                    (proxy, method, arguments) -> method.invoke(guard, arguments));
        }
    }

    @Import(Api.class)
    public static class Composite {

        @Bean
        CompositeFilter composite() {
            CompositeFilter composite = new CompositeFilter();
            composite.setFilters(List.of(new Guard()));
            return composite;
        }
    }

    @Import(Api.class)
    public static class Delegating {

        @Bean
        Guard target() {
            return new Guard();
        }

        @Bean
        FilterRegistrationBean<Guard> notByItself(Guard target) {
            return off(target);
        }

        @Bean
        DelegatingFilterProxyRegistrationBean delegating() {
            return new DelegatingFilterProxyRegistrationBean("target");
        }
    }

    @Import(Api.class)
    public static class DelegatingByHand {

        @Bean
        Guard target() {
            return new Guard();
        }

        @Bean
        FilterRegistrationBean<Guard> notByItself(Guard target) {
            return off(target);
        }

        @Bean
        FilterRegistrationBean<DelegatingFilterProxy> byHand() {
            return new FilterRegistrationBean<>(new DelegatingFilterProxy("target"));
        }
    }

    @Import(Api.class)
    public static class Initializer {

        @Bean
        @Order(-1000)
        ServletContextInitializer initializer() {
            return context -> context.addFilter("initialized", new Guard()).addMappingForUrlPatterns(null, true, "/*");
        }
    }

    @Import(Api.class)
    public static class MatchedAfter {

        @Bean
        FilterRegistrationBean<Guard> matchedAfter() {
            FilterRegistrationBean<Guard> registration = registration(-1000);
            registration.setMatchAfter(true);
            return registration;
        }
    }

    @Import(Api.class)
    public static class SamePath {

        @Bean
        FilterRegistrationBean<Guard> samePath() {
            return at("/Orders", "/admin/*");
        }
    }

    @Import(Api.class)
    public static class ByServlet {

        @Bean
        FilterRegistrationBean<Guard> byServlet() {
            FilterRegistrationBean<Guard> registration = registration(0);
            registration.addServletNames("dispatcherServlet");
            return registration;
        }
    }

    /** The dispatcher servlet has a path of its own, which no setting tells. */
    @Import(Api.class)
    @EnableAutoConfiguration(exclude = DispatcherServletAutoConfiguration.class)
    public static class OwnServletPath {

        @Bean
        DispatcherServlet dispatcherServlet() {
            return new DispatcherServlet();
        }

        @Bean
        DispatcherServletRegistrationBean dispatcher(DispatcherServlet dispatcherServlet) {
            return new DispatcherServletRegistrationBean(dispatcherServlet, "/api");
        }

        @Bean
        FilterRegistrationBean<Guard> belowPath() {
            return at("/api/orders/*");
        }
    }

    /** A second dispatcher servlet, with a context of its own. */
    @Import(Api.class)
    public static class SecondServlet {

        @Bean
        ServletRegistrationBean<DispatcherServlet> admin(WebApplicationContext parent) {
            AnnotationConfigWebApplicationContext child = new AnnotationConfigWebApplicationContext();
            child.setParent(parent);
            ServletRegistrationBean<DispatcherServlet> admin =
                    new ServletRegistrationBean<>(new DispatcherServlet(child), "/admin/*");
            admin.setName("admin");
            return admin;
        }

        @Bean
        FilterRegistrationBean<Guard> ofAdmin() {
            return at("/admin/*");
        }
    }

    /** Another servlet that is mapped to a prefix, which finds its handlers below that. */
    @Import(Api.class)
    public static class OtherServlet {

        @Bean
        ServletRegistrationBean<HttpServlet> other() {
            return new ServletRegistrationBean<>(new HttpServlet() {}, "/exact", "/Other/*");
        }

        @Bean
        FilterRegistrationBean<Guard> ofOther() {
            return at("/other/Orders");
        }
    }

    /** Idem's filter is not among the registered ones, so that the places of the others are not known. */
    @Import(Api.class)
    @EnableAutoConfiguration(
            excludeName = "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration")
    public static class IdemElsewhere {

        @Bean
        FilterRegistrationBean<IdempotencyServletFilter> elsewhere(IdempotencyFilterParts parts) {
            return off(parts.filter());
        }

        @Bean
        FilterRegistrationBean<Filter> withoutSecurity(@Qualifier("springSecurityFilterChain") Filter chain) {
            return off(chain);
        }

        @Bean
        EarlyGuard anywhere() {
            return new EarlyGuard();
        }
    }

    @Import(Api.class)
    @ServletComponentScan(basePackageClasses = ScannedGuard.class)
    public static class Scanned {}

    @Import(Api.class)
    public static class InFront {

        @Bean
        EarlyGuard inFront() {
            return new EarlyGuard();
        }
    }

    @Import(Api.class)
    public static class Disabled {

        @Bean
        FilterRegistrationBean<Guard> disabled() {
            return off(new Guard());
        }
    }

    @Import(Api.class)
    public static class OtherPath {

        @Bean
        FilterRegistrationBean<Guard> otherPath() {
            return at("/orders-of-others/*", "/admin/*");
        }
    }

    @Import(Api.class)
    public static class OtherDispatch {

        @Bean
        FilterRegistrationBean<Guard> otherDispatch() {
            FilterRegistrationBean<Guard> registration = registration(0);
            registration.setDispatcherTypes(DispatcherType.ERROR);
            return registration;
        }
    }

    @Import(Api.class)
    public static class OfForwards {

        @Bean
        FilterRegistrationBean<Guard> ofForwards() {
            FilterRegistrationBean<Guard> registration = registration(0);
            registration.setDispatcherTypes(DispatcherType.FORWARD);
            return registration;
        }
    }

    @Import(Api.class)
    public static class OfAsyncDispatches {

        @Bean
        FilterRegistrationBean<Guard> ofAsyncDispatches() {
            FilterRegistrationBean<Guard> registration = registration(0);
            registration.setDispatcherTypes(DispatcherType.ASYNC);
            return registration;
        }
    }

    /** An interceptor that admits callers with a pass. */
    public static class Interceptor implements HandlerInterceptor {

        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            response.setStatus(401);
            return request.getHeader("X-Pass") != null;
        }
    }

    /** An interceptor that refuses callers without a pass, as Spring adapts it. */
    public static class WebInterceptor implements WebRequestInterceptor {

        @Override
        public void preHandle(WebRequest request) {
            if (request.getHeader("X-Pass") == null) {
                throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
            }
        }

        @Override
        public void postHandle(WebRequest request, @Nullable ModelMap model) {}

        @Override
        public void afterCompletion(WebRequest request, @Nullable Exception failure) {}
    }

    @Import(Api.class)
    public static class Intercepted implements WebMvcConfigurer {

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            registry.addInterceptor(new Interceptor()).addPathPatterns("/orders/**");
        }
    }

    @Import(Api.class)
    public static class InterceptedForWeb implements WebMvcConfigurer {

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            registry.addWebRequestInterceptor(new WebInterceptor());
        }
    }

    @Import(Api.class)
    public static class InterceptedByRole implements WebMvcConfigurer {

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            registry.addInterceptor(new UserRoleAuthorizationInterceptor());
        }
    }

    @Import(Api.class)
    public static class InterceptedInPart implements WebMvcConfigurer {

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            registry.addInterceptor(new Interceptor()).excludePathPatterns("/orders/open/**", "/admin/**");
        }
    }

    @Import(Api.class)
    public static class InterceptedElsewhere implements WebMvcConfigurer {

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            registry.addInterceptor(new Interceptor()).addPathPatterns("/admin/**");
            registry.addInterceptor(new Interceptor()).excludePathPatterns("/orders/**");
            registry.addInterceptor(new LocaleChangeInterceptor());
        }
    }

    @Import(Api.class)
    public static class Cors {

        @Bean
        CorsFilter cors() {
            return new CorsFilter(new UrlBasedCorsConfigurationSource()) {};
        }
    }

    /** Spring Security under another name than Boot's. */
    @Import(Api.class)
    @EnableAutoConfiguration(
            excludeName = "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration")
    public static class SecurityByHand {

        @Bean
        FilterRegistrationBean<DelegatingFilterProxy> guards() {
            FilterRegistrationBean<DelegatingFilterProxy> registration =
                    new FilterRegistrationBean<>(new DelegatingFilterProxy("springSecurityFilterChain"));
            registration.setOrder(10);
            return registration;
        }
    }

    /** A class of the application that extends Spring Security's filter. */
    @Import(Api.class)
    public static class SecuritySubclass {

        @Bean
        FilterRegistrationBean<FilterChainProxy> second() {
            FilterRegistrationBean<FilterChainProxy> registration =
                    new FilterRegistrationBean<>(new FilterChainProxy() {});
            registration.setOrder(10);
            return registration;
        }
    }

    private static FilterRegistrationBean<Guard> at(String... paths) {
        FilterRegistrationBean<Guard> registration = registration(0);
        registration.addUrlPatterns(paths);
        return registration;
    }

    private static FilterRegistrationBean<Guard> registration(int order) {
        FilterRegistrationBean<Guard> registration = new FilterRegistrationBean<>(new Guard());
        registration.setOrder(order);
        return registration;
    }

    private static <F extends Filter> FilterRegistrationBean<F> off(F filter) {
        FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
        registration.setEnabled(false);
        return registration;
    }
}
