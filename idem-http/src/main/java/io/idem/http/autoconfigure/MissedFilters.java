package io.idem.http.autoconfigure;

import static java.util.Objects.requireNonNull;

import io.idem.http.internal.servlet.IdempotencyServletFilter;
import io.idem.internal.method.HiddenMembers;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.filter.OncePerRequestFilter;

/** Looks for filters that may not be around a request that has waited: it runs in a dispatch of type ASYNC. */
final class MissedFilters {

    /** The classes of filters that only wrap the request and the response, which stay wrapped, or open WebSockets. */
    private static final Pattern NOT_MISSED =
            Pattern.compile("org\\.springframework\\.web\\.servlet\\.resource\\.ResourceUrlEncodingFilter"
                    + "|org\\.(apache\\.tomcat|eclipse\\.jetty\\.ee\\w+)\\.websocket\\..*");

    private MissedFilters() {}

    /** The classes of filters that bind nothing, or what idem keeps. */
    private static final Pattern OF_LIBRARIES =
            Pattern.compile("(org\\.springframework|io\\.idem(\\.\\w+)*\\.internal)\\..*");

    private static final boolean SECURED = ClassUtils.isPresent(
            "org.springframework.security.web.FilterChainProxy", MissedFilters.class.getClassLoader());

    /**
     * Names the filters of an application. A filter whose dispatcher types Boot does not know counts; one around others is one filter, but
     * for Spring Security's chains.
     */
    static List<String> in(ServletLaterFilters filters) {
        Map<String, FilterRegistration> missed = new TreeMap<>(
                requireNonNull(filters.context().getServletContext()).getFilterRegistrations());
        for (AbstractFilterRegistrationBean<?> bean : filters.registrations()) {
            if (bean.determineDispatcherTypes().contains(DispatcherType.ASYNC)
                    || !ServletLaterFilters.reachesRoutes(bean)) {
                missed.remove(bean.getFilterName());
            }
        }
        Stream<String> bound = Stream.concat(
                        filters.registrations().stream()
                                .map(AbstractFilterRegistrationBean::getFilter)
                                .takeWhile(filter -> !(filter instanceof IdempotencyServletFilter)),
                        SECURED ? Chains.filters(filters.context()) : Stream.of())
                .filter(MissedFilters::passesBy)
                .map(filter -> filter.getClass().getName());
        return Stream.concat(
                        missed.values().stream()
                                .map(filter -> new LaterFilter(filter.getName(), String.valueOf(filter.getClassName())))
                                .filter(filter ->
                                        !NOT_MISSED.matcher(filter.type()).matches())
                                .map(LaterFilter::toString),
                        bound)
                .toList();
    }

    /** Returns whether a filter of the application, which may bind something to the thread, does nothing in a dispatch of type ASYNC. */
    private static boolean passesBy(@Nullable Filter filter) {
        return filter instanceof OncePerRequestFilter
                && !OF_LIBRARIES.matcher(filter.getClass().getName()).matches()
                && Boolean.TRUE.equals(HiddenMembers.ask(filter, "shouldNotFilterAsyncDispatch"));
    }

    /** The part that uses types of Spring Security, loaded only if they are present. */
    static final class Chains {

        static Stream<Filter> filters(WebApplicationContext context) {
            return context.getBeanProvider(FilterChainProxy.class).stream()
                    .flatMap(proxy -> proxy.getFilterChains().stream())
                    .flatMap(chain -> chain.getFilters().stream());
        }
    }
}
