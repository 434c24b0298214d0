package io.idem.http.autoconfigure;

import static java.util.Objects.requireNonNull;

import io.idem.ConfigurationException;
import io.idem.http.IdempotentRoute;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializerBeans;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.filter.DelegatingFilterProxy;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.handler.WebRequestHandlerInterceptorAdapter;

/**
 * The filters of a servlet application. Boot's registrations tell the order, the container tells the paths. It also tells of filters that
 * were registered in another way, but not their place: they count as if they stood behind.
 */
record ServletLaterFilters(WebApplicationContext context) implements LaterFilters {

    private static final EnumSet<DispatcherType> NEEDED =
            EnumSet.of(DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.ASYNC, DispatcherType.ERROR);

    @Override
    public List<LaterFilter> of(List<IdempotentRoute> routes) {
        Map<String, FilterRegistration> container =
                new TreeMap<>(requireNonNull(context.getServletContext()).getFilterRegistrations());
        List<LaterFilter> later = new ArrayList<>();
        List<? extends AbstractFilterRegistrationBean<?>> beans = registrations();
        boolean behind = beans.stream().noneMatch(bean -> bean.getFilter() instanceof IdempotencyServletFilter);
        for (AbstractFilterRegistrationBean<?> bean : beans) {
            FilterRegistration registered = container.remove(bean.getFilterName());
            behind |= bean.getFilter() instanceof IdempotencyServletFilter;
            if (behind && reachesRoutes(bean) && meets(registered, bean.getUrlPatterns(), routes)) {
                later.add(named(bean.getFilterName(), requireNonNull(bean.getFilter())));
            }
        }
        container.values().stream()
                .filter(other -> meets(other, List.of(), routes))
                .map(other -> new LaterFilter(other.getName(), String.valueOf(other.getClassName())))
                .forEach(later::add);
        interceptors(routes).forEach(later::add);
        return later;
    }

    /** Returns the interceptors of handlers, by their classes, but for those whose patterns miss the routes. */
    private Stream<LaterFilter> interceptors(List<IdempotentRoute> routes) {
        return context.getBeanProvider(AbstractHandlerMapping.class).stream()
                .flatMap(mapping -> Stream.ofNullable(mapping.getAdaptedInterceptors()))
                .flatMap(Stream::of)
                .filter(one -> !(one instanceof MappedInterceptor mapped) || reaches(mapped, routes))
                .map(one -> one instanceof MappedInterceptor mapped ? mapped.getInterceptor() : one)
                .map(one -> one instanceof WebRequestHandlerInterceptorAdapter
                        ? requireNonNull(new DirectFieldAccessor(one).getPropertyValue("requestInterceptor"))
                        : one)
                .map(AopProxyUtils::ultimateTargetClass)
                .distinct()
                .map(type -> LaterFilter.of(type.getName(), type));
    }

    private static boolean reaches(MappedInterceptor interceptor, List<IdempotentRoute> routes) {
        String[] patterns = interceptor.getIncludePathPatterns();
        List<String> excluded = Stream.ofNullable(interceptor.getExcludePathPatterns())
                .flatMap(Stream::of)
                .toList();
        return routes.stream()
                .map(route -> route.path().getPatternString())
                .filter(route -> excluded.stream().noneMatch(pattern -> covers(pattern, route)))
                .anyMatch(route -> patterns == null
                        || Stream.of(patterns)
                                .anyMatch(pattern -> meet(pattern.replaceFirst("/?[^/]*[{*?].*", "/*"), route)));
    }

    private static boolean covers(String pattern, String route) {
        return pattern.equals(route)
                || (pattern.endsWith("/**") && (route + "/").startsWith(pattern.replace("**", "")));
    }

    /** Returns whether a filter is called in a dispatch in which idem protects routes: no error page and no include. */
    static boolean reachesRoutes(AbstractFilterRegistrationBean<?> filter) {
        return !EnumSet.of(DispatcherType.ERROR, DispatcherType.INCLUDE).containsAll(filter.determineDispatcherTypes());
    }

    @Override
    public boolean hideForwarded() {
        return registrations().stream().anyMatch(bean -> bean.getFilter() instanceof ForwardedHeaderFilter);
    }

    @Override
    public void checkRegistrations() {
        registrations().forEach(ServletLaterFilters::checkDispatcherTypes);
    }

    private static void checkDispatcherTypes(AbstractFilterRegistrationBean<?> registration) {
        if (registration.getFilter() instanceof IdempotencyServletFilter
                && !registration.determineDispatcherTypes().containsAll(NEEDED)) {
            throw new ConfigurationException(
                    "The idempotency filter is registered for " + registration.determineDispatcherTypes()
                            + " only: answers of asynchronous handlers would be lost, or forwards reach handlers unprotected",
                    "Register it for the dispatcher types " + NEEDED
                            + ", or remove the registration to get that of idem.");
        }
    }

    /** Returns the registrations that are enabled, of filters that are beans too, in the order of the filters. */
    List<? extends AbstractFilterRegistrationBean<?>> registrations() {
        return new ServletContextInitializerBeans(context)
                .stream()
                        .filter(AbstractFilterRegistrationBean.class::isInstance)
                        .map(initializer -> (AbstractFilterRegistrationBean<?>) initializer)
                        .filter(AbstractFilterRegistrationBean::isEnabled)
                        .sorted(Comparator.comparing(AbstractFilterRegistrationBean::isMatchAfter))
                        .toList();
    }

    /** Names a filter, or the bean for which it stands. */
    private LaterFilter named(String name, Filter filter) {
        if (filter instanceof DelegatingFilterProxy) {
            String target = String.valueOf(new DirectFieldAccessor(filter).getPropertyValue("targetBeanName"));
            if (context.containsBean(target)) {
                return named(target, context.getBean(target, Filter.class));
            }
        }
        return LaterFilter.of(name, AopProxyUtils.ultimateTargetClass(filter));
    }

    /** Returns whether a filter is called for some request to the routes; tests without a container know only the declared patterns. */
    private boolean meets(
            @Nullable FilterRegistration registered, Collection<String> declared, List<IdempotentRoute> routes) {
        Collection<String> urls = registered == null ? declared : registered.getUrlPatternMappings();
        return urls.isEmpty()
                || (registered != null && !registered.getServletNameMappings().isEmpty())
                || urls.stream().anyMatch(url -> paths(routes).anyMatch(path -> meet(url, path)));
    }

    /** Returns the patterns of routes within the application: of a servlet that is mapped to a prefix, routes are found below that too. */
    private Stream<String> paths(List<IdempotentRoute> routes) {
        return Stream.concat(
                        Stream.of("/*"),
                        requireNonNull(context.getServletContext()).getServletRegistrations().values().stream()
                                .flatMap(servlet -> servlet.getMappings().stream()))
                .filter(url -> url.endsWith("/*"))
                .flatMap(url -> routes.stream()
                        .map(route -> url.replace("/*", route.path().getPatternString())));
    }

    /** Returns whether one path may match both patterns: one begins with all whole segments of the other that have no variable. */
    private static boolean meet(String url, String route) {
        String first = url.toLowerCase(Locale.ROOT).replaceFirst("/\\*?$", "") + "/";
        String second = route.toLowerCase(Locale.ROOT).replaceFirst("/?[^/]*[{*?].*", "") + "/";
        return url.startsWith("*") || first.startsWith(second) || second.startsWith(first);
    }
}
