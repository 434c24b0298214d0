package io.idem.http.internal.servlet;

import static org.springframework.util.PatternMatchUtils.simpleMatch;

import io.idem.http.Routes;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Applies the application's CORS rules (a {@code CorsFilter}, {@code @CrossOrigin}, {@code WebMvcConfigurer}) to requests to protected
 * routes before their key is taken. Spring applies them behind the idempotency filter (a {@code CorsFilter} too, unless it is ordered
 * before): then replays would be given to every origin, with the headers for the first one, and no origin could read refusals. Belongs
 * right before {@link IdempotencyServletFilter}. Thread-safe.
 */
public final class HandlerCorsFilter extends EveryDispatchFilter {

    /** The order of the filter: behind authentication, before the idempotency filter. */
    public static final int ORDER = IdempotencyServletFilter.ORDER - 1;

    private final Supplier<Routes> routes;
    private final Supplier<Map<Filter, Collection<String>>> filters;
    private final Supplier<List<HandlerMapping>> mappings;
    private final DefaultCorsProcessor processor = new DefaultCorsProcessor();

    /**
     * Creates a filter.
     *
     * @param filters filters of the application with the URL patterns for which they are registered; none stands for all URLs
     * @param mappings handler mappings of the dispatcher servlet, in their order
     */
    public HandlerCorsFilter(
            Supplier<Routes> routes,
            Supplier<Map<Filter, Collection<String>>> filters,
            Supplier<List<HandlerMapping>> mappings) {
        this.routes = routes;
        this.filters = filters;
        this.mappings = mappings;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean judged = request.getHeader(HttpHeaders.ORIGIN) != null
                && !CorsUtils.isPreFlightRequest(request)
                && routes.get()
                        .find(request.getMethod(), () -> ServletRequestPaths.within(request))
                        .isPresent();
        if (judged) {
            judging(ServletRequestPaths.whole(request), chain).doFilter(request, response);
        } else {
            leave(request, response, chain);
        }
    }

    /** Returns the chain behind the application's CORS filters. When the container calls them later, they skip the request. */
    private FilterChain judging(String path, FilterChain chain) {
        FilterChain next =
                (request, response) -> judge((HttpServletRequest) request, (HttpServletResponse) response, chain);
        for (Map.Entry<Filter, Collection<String>> entry : filters.get().entrySet()) {
            FilterChain rest = next;
            String[] patterns = entry.getValue().toArray(String[]::new);
            if (entry.getKey() instanceof CorsFilter filter
                    && (patterns.length == 0 || simpleMatch(patterns, path) || simpleMatch(patterns, path + "/"))) {
                next = (request, response) -> filter.doFilter(request, response, rest);
            }
        }
        return next;
    }

    private void judge(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<CorsConfiguration> rules = rules(request);
        if (rules.isEmpty() || processor.processRequest(rules.get(), request, response)) {
            chain.doFilter(request, response);
        }
    }

    private Optional<CorsConfiguration> rules(HttpServletRequest request) {
        for (HandlerMapping mapping : mappings.get()) {
            Optional<HandlerExecutionChain> handler = handler(mapping, request);
            if (handler.isPresent()) {
                return Stream.concat(
                                handler.get().getInterceptorList().stream(),
                                Stream.of(handler.get().getHandler()))
                        .filter(CorsConfigurationSource.class::isInstance)
                        .findFirst()
                        .map(source -> ((CorsConfigurationSource) source).getCorsConfiguration(request));
            }
        }
        return Optional.empty();
    }

    /** Returns the handler of a mapping; none if the mapping fails, as it will again when the dispatcher servlet asks it. */
    private static Optional<HandlerExecutionChain> handler(HandlerMapping mapping, HttpServletRequest request) {
        Object before = request.getAttribute(ServletRequestPathUtils.PATH_ATTRIBUTE);
        try {
            // In a forward the attribute has the path of the dispatch around it.
            ServletRequestPathUtils.parseAndCache(request);
            return Optional.ofNullable(mapping.getHandler(request));
        } catch (Exception refused) {
            return Optional.empty();
        } finally {
            request.setAttribute(ServletRequestPathUtils.PATH_ATTRIBUTE, before);
        }
    }
}
