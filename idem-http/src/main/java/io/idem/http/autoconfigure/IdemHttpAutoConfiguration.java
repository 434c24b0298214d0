package io.idem.http.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.Outbox;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.internal.admission.AnnotatedRoutes;
import io.idem.http.internal.admission.FilterParts;
import io.idem.http.internal.admission.RefusalRenderer;
import io.idem.http.internal.servlet.ChainEnd;
import io.idem.http.internal.servlet.Commits;
import io.idem.http.internal.servlet.ExchangeEnd;
import io.idem.http.internal.servlet.HandlerCalls;
import io.idem.http.internal.servlet.HandlerCorsFilter;
import io.idem.http.internal.servlet.HandlerFailures;
import io.idem.http.internal.servlet.IdempotencyCorsFilter;
import io.idem.http.internal.servlet.IdempotencyFilterParts;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import io.idem.http.internal.servlet.Refusals;
import io.idem.http.internal.servlet.ServletMappedHandlers;
import io.idem.http.internal.servlet.UnreadableFormFilter;
import io.idem.internal.spring.ConditionalOnSwitch;
import io.idem.spi.IdempotencyStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.servlet.filter.OrderedRequestContextFilter;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletListenerRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.request.RequestContextListener;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.filter.FormContentFilter;
import org.springframework.web.filter.RequestContextFilter;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The idempotency filter of a servlet application. */
@AutoConfiguration(
        afterName = {
            "io.idem.autoconfigure.IdemAutoConfiguration",
            "org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration"
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnSwitch("idem.http.enabled")
@Import(SharedHttpConfiguration.class)
class IdemHttpAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Refusals idemRefusals(RefusalRenderer renderer) {
        return new Refusals(renderer);
    }

    @Bean
    AnnotatedRoutes idemAnnotatedRoutes(
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings, ObjectProvider<IdempotentExecutor> executor) {
        return new AnnotatedRoutes(() -> ServletMappedHandlers.in(mappings), () -> RouteInboxes.always(executor));
    }

    @Bean
    ServletLaterFilters idemLaterFilters(WebApplicationContext context) {
        return new ServletLaterFilters(context);
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyFilterParts idemServletFilterParts(
            IdempotentExecutor executor,
            FilterParts common,
            ObjectProvider<MultipartConfigElement> multipart,
            ObjectProvider<Outbox> outbox,
            IdempotencyStore store,
            ServletLaterFilters filters) {
        return new IdempotencyFilterParts(
                executor,
                common,
                multipart.getIfAvailable() != null,
                // Created only if a route asks for it; otherwise its table need not exist.
                Optional.of(scope -> outbox.getObject().inbox(scope)),
                store,
                SingletonSupplier.of(() -> MissedFilters.in(filters))::obtain);
    }

    /** Registers the filter, which is no bean itself: Boot would register a filter bean in another order. */
    @Bean
    @ConditionalOnMissingBean(parameterizedContainer = FilterRegistrationBean.class)
    FilterRegistrationBean<IdempotencyServletFilter> idemFilterRegistration(IdempotencyFilterParts parts) {
        FilterRegistrationBean<IdempotencyServletFilter> registration =
                registration(parts.filter(), IdempotencyServletFilter.ORDER);
        registration.setDispatcherTypes(
                DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.ASYNC, DispatcherType.ERROR);
        return registration;
    }

    @Bean
    FilterRegistrationBean<IdempotencyCorsFilter> idemCorsFilterRegistration(FilterParts parts) {
        return registration(new IdempotencyCorsFilter(parts), IdempotencyCorsFilter.ORDER);
    }

    @Bean
    FilterRegistrationBean<HandlerCorsFilter> idemHandlerCorsFilterRegistration(
            FilterParts parts,
            ServletLaterFilters filters,
            ObjectProvider<CorsFilter> beans,
            ObjectProvider<HandlerMapping> mappings) {
        return registration(
                new HandlerCorsFilter(
                        parts.routes(),
                        SingletonSupplier.of(() -> withPatterns(filters, beans)),
                        SingletonSupplier.of(() -> mappings.orderedStream().toList())),
                HandlerCorsFilter.ORDER);
    }

    /** Returns the filters with the URL patterns of their registrations; a bean that another filter calls, as a proxy does, has none. */
    private static Map<Filter, Collection<String>> withPatterns(
            ServletLaterFilters filters, ObjectProvider<CorsFilter> beans) {
        Map<Filter, Collection<String>> all = new LinkedHashMap<>();
        beans.orderedStream().forEach(bean -> all.put(bean, List.of()));
        filters.registrations().forEach(one -> all.put(Objects.requireNonNull(one.getFilter()), one.getUrlPatterns()));
        return all;
    }

    @Bean
    @ConditionalOnBean(FormContentFilter.class)
    FilterRegistrationBean<UnreadableFormFilter> idemUnreadableFormFilterRegistration(
            FilterParts parts, Refusals refusals) {
        return registration(new UnreadableFormFilter(parts.routes(), refusals), UnreadableFormFilter.ORDER);
    }

    private static <F extends Filter> FilterRegistrationBean<F> registration(F filter, int order) {
        FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(order);
        return registration;
    }

    /** A bean and no registration: Boot puts filter beans behind registrations of the same order, and this one behind the application's. */
    @Bean
    ChainEnd idemChainEnd() {
        return new ChainEnd();
    }

    @Bean
    static HandlerCalls idemHandlerCalls() {
        return new HandlerCalls();
    }

    /** Notes commits of handlers, in applications that have transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TransactionExecutionListener.class)
    static class Transactions {

        @Bean
        static Commits idemCommits() {
            return new Commits();
        }

        /** As Boot's, which an application with {@code @EnableWebMvc} does not get: commits of servlets are found by it. */
        @Bean
        @ConditionalOnMissingBean({RequestContextListener.class, RequestContextFilter.class})
        RequestContextFilter idemRequestContextFilter() {
            return new OrderedRequestContextFilter();
        }
    }

    @Bean
    HandlerFailures idemHandlerFailures() {
        return new HandlerFailures();
    }

    @Bean
    RouteInboxes idemRouteInboxes(ObjectProvider<Outbox> outbox, ObjectProvider<IdempotentExecutor> executor) {
        return route -> {
            Outbox available = outbox.getIfAvailable();
            if (available == null) {
                throw RouteInboxes.refusal(
                        route,
                        "the application has no Outbox",
                        "Add idem-jdbc with a data source and its transaction manager and leave idem.jdbc.enabled=true, or"
                                + " define an Outbox bean");
            }
            Inbox inbox = available.inbox(route.scope());
            if (RouteInboxes.always(executor) && inbox.failures().isEmpty()) {
                throw RouteInboxes.refusal(
                        route,
                        "the inbox of the application's own "
                                + ClassUtils.getUserClass(available).getSimpleName() + " is not a store",
                        "Return a JdbcOutbox with asStore(store) from that bean, or remove the bean");
            }
            if (route.policy().attempts().transaction() == InboxTransaction.LAST_PHASE) {
                RouteInboxes.requireLastPhase(route, inbox);
            }
            Duration rows = inbox.retention();
            Duration records = route.policy().retention();
            if (rows.compareTo(records) < 0) {
                throw new ConfigurationException(
                        "The route of scope \"" + route.scope() + "\" keeps its records for " + records
                                + ", but its inbox keeps rows for " + rows
                                + ": a request that comes"
                                + " again later would run again if the store lost the record",
                        "Let the inbox keep them for " + records + " or longer, or make the route's retention shorter.");
            }
        };
    }

    @Bean
    ServletListenerRegistrationBean<ExchangeEnd> idemExchangeEnd(IdempotencyFilterParts parts) {
        return new ServletListenerRegistrationBean<>(parts.end());
    }
}
