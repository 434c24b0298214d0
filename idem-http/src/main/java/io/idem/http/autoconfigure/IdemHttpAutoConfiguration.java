package io.idem.http.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.IdempotentExecutor;
import io.idem.ScopePolicies;
import io.idem.ScopeRegistry;
import io.idem.http.OperationStatusReader;
import io.idem.http.servlet.AnnotatedRoutes;
import io.idem.http.servlet.ContextArgumentResolver;
import io.idem.http.servlet.ErrorBody;
import io.idem.http.servlet.ExchangeEnd;
import io.idem.http.servlet.IdempotencyFilter;
import io.idem.http.servlet.IdempotencyFilterParts;
import io.idem.http.servlet.IdempotentRoute;
import io.idem.http.servlet.ProblemDetailBody;
import io.idem.http.servlet.Refusals;
import io.idem.http.servlet.ReplayMarker;
import io.idem.http.servlet.RequestFingerprinter;
import io.idem.http.servlet.RouteSource;
import io.idem.http.servlet.TenantResolver;
import io.idem.spi.IdempotencyStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.MultipartConfigElement;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletListenerRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The idempotency filter of a servlet application. */
@AutoConfiguration(afterName = "io.idem.autoconfigure.IdemAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "idem.http.enabled", matchIfMissing = true)
@EnableConfigurationProperties(IdemHttpProperties.class)
class IdemHttpAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ErrorBody idemErrorBody() {
        return new ProblemDetailBody();
    }

    @Bean
    @ConditionalOnMissingBean
    Refusals idemRefusals(ErrorBody body, IdemHttpProperties properties) {
        return new Refusals(body, properties.problemDocs());
    }

    @Bean
    @ConditionalOnMissingBean
    RequestFingerprinter idemRequestFingerprinter() {
        return RequestFingerprinter.wholeRequest();
    }

    @Bean
    @ConditionalOnMissingBean
    OperationStatusReader idemOperationStatusReader(IdempotencyStore store) {
        return new OperationStatusReader(store);
    }

    @Bean
    AnnotatedRoutes idemAnnotatedRoutes(ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        return new AnnotatedRoutes(() -> mappings.stream().toList());
    }

    @Bean
    ApplicationRoutes idemApplicationRoutes(
            IdemHttpProperties properties,
            ObjectProvider<IdempotentRoute> declared,
            ObjectProvider<RouteSource> sources,
            ExecutionPolicy policy,
            ObjectProvider<ScopePolicies> scopes,
            ScopeRegistry registry,
            Environment environment,
            ObjectProvider<TenantResolver> tenants,
            ObjectProvider<AbstractFilterRegistrationBean<?>> filters) {
        return new ApplicationRoutes(
                new ConfiguredRoutes(properties),
                declared,
                sources,
                policy,
                scopes.getIfAvailable(() -> ScopePolicies.same(policy)),
                registry,
                () -> new Preconditions(
                        properties,
                        environment,
                        tenants.getIfAvailable() != null,
                        List.copyOf(filters.stream().toList())));
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyFilterParts idemFilterParts(
            IdemHttpProperties properties,
            IdempotentExecutor executor,
            ApplicationRoutes routes,
            ObjectProvider<TenantResolver> tenants,
            RequestFingerprinter fingerprinter,
            ObjectProvider<MultipartConfigElement> multipart,
            Refusals refusals) {
        TenantMode mode = Objects.requireNonNullElse(properties.tenant(), TenantMode.PRINCIPAL);
        return new IdempotencyFilterParts(
                executor,
                routes,
                properties.keyHeader(),
                tenants.getIfAvailable(mode::resolver),
                fingerprinter,
                multipart.getIfAvailable() != null,
                properties.storedHeaders().policy(),
                refusals,
                new ReplayMarker(properties.replayHeader(), properties.replayHeaderValue()));
    }

    /** Not a bean of its own: Boot would register that in another order. */
    @Bean
    @ConditionalOnMissingBean(parameterizedContainer = FilterRegistrationBean.class)
    FilterRegistrationBean<IdempotencyFilter> idemFilterRegistration(IdempotencyFilterParts parts) {
        FilterRegistrationBean<IdempotencyFilter> registration = new FilterRegistrationBean<>(parts.filter());
        registration.setOrder(IdempotencyFilter.ORDER);
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);
        return registration;
    }

    @Bean
    ServletListenerRegistrationBean<ExchangeEnd> idemExchangeEnd(IdempotencyFilterParts parts) {
        return new ServletListenerRegistrationBean<>(parts.end());
    }

    @Bean
    WebMvcConfigurer idemContextArguments() {
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new ContextArgumentResolver());
            }
        };
    }
}
