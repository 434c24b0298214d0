package io.idem.http.autoconfigure;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;

/** Looks for filters that may not be around a request that has waited: it runs in a dispatch of type ASYNC. */
final class MissedFilters {

    /** The classes of filters that only wrap the request and the response, which stay wrapped, or open WebSockets. */
    private static final Pattern NOT_MISSED =
            Pattern.compile("org\\.springframework\\.web\\.servlet\\.resource\\.ResourceUrlEncodingFilter"
                    + "|org\\.(apache\\.tomcat|eclipse\\.jetty\\.ee\\w+)\\.websocket\\..*");

    private MissedFilters() {}

    /** Names the filters of an application. A filter whose dispatcher types Boot does not know counts; one around others is one filter. */
    static List<String> in(ServletLaterFilters filters) {
        Map<String, FilterRegistration> missed = new TreeMap<>(
                requireNonNull(filters.context().getServletContext()).getFilterRegistrations());
        for (AbstractFilterRegistrationBean<?> bean : filters.registrations()) {
            Set<DispatcherType> types = bean.determineDispatcherTypes();
            if (types.contains(DispatcherType.ASYNC) || !types.contains(DispatcherType.REQUEST)) {
                missed.remove(bean.getFilterName());
            }
        }
        return missed.values().stream()
                .map(filter -> new LaterFilter(filter.getName(), String.valueOf(filter.getClassName())))
                .filter(filter -> !NOT_MISSED.matcher(filter.type()).matches())
                .map(LaterFilter::toString)
                .toList();
    }
}
