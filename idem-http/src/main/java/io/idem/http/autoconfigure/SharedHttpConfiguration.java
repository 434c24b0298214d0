package io.idem.http.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.ScopePolicies;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.ErrorBody;
import io.idem.http.IdempotentRoute;
import io.idem.http.OperationStatusReader;
import io.idem.http.RequestFingerprinter;
import io.idem.http.StoringPolicy;
import io.idem.http.TenantResolver;
import io.idem.http.internal.admission.FilterParts;
import io.idem.http.internal.admission.MappedHandlers;
import io.idem.http.internal.admission.ProblemDetailBody;
import io.idem.http.internal.admission.RefusalRenderer;
import io.idem.http.internal.admission.ReplayMarker;
import io.idem.http.internal.admission.RouteMetrics;
import io.idem.http.internal.admission.RouteReports;
import io.idem.http.internal.admission.RouteSource;
import io.idem.http.internal.admission.TenantParts;
import io.idem.http.internal.admission.WaitingRoom;
import io.idem.http.internal.openapi.ProtectedOperations;
import io.idem.http.internal.tenant.TokenClaimTenant;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The beans that servlet and reactive applications have in common. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IdemHttpProperties.class)
class SharedHttpConfiguration {

    /** The syntax of header names, RFC 9110 section 5.6.2. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    @Bean
    @ConditionalOnMissingBean
    ErrorBody idemErrorBody() {
        return new ProblemDetailBody();
    }

    @Bean
    @ConditionalOnMissingBean
    RefusalRenderer idemRefusalRenderer(ErrorBody body, IdemHttpProperties properties, Environment environment) {
        String page = properties.problemDocs();
        String servlet = environment.getProperty("spring.mvc.servlet.path", "").replaceFirst("/$", "");
        return new RefusalRenderer(body, page.startsWith("/") ? servlet + page : page);
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
    ApplicationRoutes idemApplicationRoutes(
            IdemHttpProperties properties,
            ObjectProvider<IdempotentRoute> declared,
            ObjectProvider<RouteSource> sources,
            ExecutionPolicy policy,
            ObjectProvider<ScopePolicies> scopes,
            ScopeRegistry registry,
            ObjectProvider<StartChecks> checks,
            ObjectProvider<RouteInboxes> inboxes,
            ObjectProvider<IdempotentExecutor> executor,
            ObjectProvider<StoringPolicy> policies) {
        ScopePolicies ofScopes = scopes.getIfAvailable(() -> ScopePolicies.same(policy));
        return new ApplicationRoutes(
                new ConfiguredRoutes(properties, RouteInboxes.implied(executor, ofScopes)),
                declared,
                sources,
                policy,
                ofScopes,
                registry,
                checks,
                inboxes.getIfAvailable(() -> route -> {
                    throw RouteInboxes.refusal(
                            route,
                            "a transaction belongs to one thread, and requests of a WebFlux application do not",
                            "Make it a servlet application, with Spring MVC");
                }),
                () -> policies.orderedStream().toList(),
                new AtomicReference<>());
    }

    @Bean
    MappedHandlers idemMappedHandlers(ObjectProvider<RouteSource> sources) {
        return new MappedHandlers(() ->
                sources.stream().flatMap(source -> source.handlers().stream()).toList());
    }

    @Bean
    RouteReport idemRouteReport(
            ApplicationRoutes routes,
            StartChecks checks,
            MappedHandlers handlers,
            IdemHttpProperties properties,
            Environment environment,
            ApplicationContext application) {
        return new RouteReport(routes, checks, handlers, properties, environment, application);
    }

    @Bean
    StartChecks idemStartChecks(
            IdemHttpProperties properties,
            Environment environment,
            LaterFilters filters,
            FilterParts parts,
            ObjectProvider<TenantResolver> tenants) {
        return new StartChecks(properties, environment, filters, parts.tenants(), tenants.getIfAvailable() != null);
    }

    @Bean
    WaitingRoom idemWaitingRoom(IdemHttpProperties properties, ApplicationContext application) {
        return new WaitingRoom(properties.maxWaiting(), application);
    }

    @Bean
    @ConditionalOnMissingBean
    FilterParts idemFilterParts(
            IdemHttpProperties properties,
            ApplicationRoutes routes,
            ObjectProvider<TenantResolver> tenants,
            RequestFingerprinter fingerprinter,
            RefusalRenderer refusals,
            ObjectProvider<RouteMetrics> metrics,
            MappedHandlers handlers,
            WaitingRoom waitingRoom,
            Environment environment) {
        TenantMode mode = Objects.requireNonNullElse(properties.tenant(), TenantMode.PRINCIPAL);
        return new FilterParts(
                routes,
                properties.headers().key(),
                tenants.getIfAvailable(
                        () -> mode.resolver(properties.tenantFrom(), environment.getProperty(TokenClaimTenant.HOME))),
                fingerprinter,
                properties.storedHeaders().policy(),
                refusals,
                new ReplayMarker(properties.headers().replayed()),
                new RouteReports(
                        metrics.getIfAvailable(() -> RouteMetrics.NONE),
                        Optional.ofNullable(properties.headers().retention()).map(SharedHttpConfiguration::headerName)),
                new TenantParts(properties.tenantParts()),
                handlers,
                waitingRoom);
    }

    private static String headerName(String name) {
        if (!TOKEN.matcher(name).matches()) {
            throw new ConfigurationException(
                    "Setting idem.http.headers.retention: \"" + name + "\" is not the name of a header",
                    "Set idem.http.headers.retention to a name such as Idempotency-Retention, or remove it.");
        }
        return name;
    }

    /** The description of protected routes in the documents of springdoc. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(GlobalOpenApiCustomizer.class)
    static class OpenApi {

        @Bean
        ProtectedOperations idemOpenApiCustomizer(FilterParts parts) {
            return new ProtectedOperations(parts);
        }
    }

    /** The metrics of routes, for applications that have a meter registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        /** Routes are patterns, so that clients cannot create new ones. */
        @Bean
        @ConditionalOnMissingBean
        RouteMetrics idemRouteMetrics(ObjectProvider<MeterRegistry> registries) {
            MeterRegistry registry = registries.getIfUnique();
            return registry == null
                    ? RouteMetrics.NONE
                    : (method, route, outcome, took) -> Timer.builder("idem.http.requests")
                            .description("Requests to idempotent routes, by outcome")
                            .tag("method", method)
                            .tag("route", route)
                            .tag("outcome", outcome)
                            .register(registry)
                            .record(took);
        }
    }
}
