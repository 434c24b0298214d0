package io.idem.gateway.internal.intake;

import io.idem.http.internal.admission.FilterParts;
import io.idem.http.internal.servlet.EveryDispatchFilter;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import io.idem.http.internal.servlet.ServletRequestPaths;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Generates a key for a request without one, on routes of the intake that require none: its message then has a key for
 * the consumers like every other, and the client finds it in the answer's key header. Belongs before the idempotency
 * filter. Thread-safe.
 */
public final class GeneratedKeyFilter extends EveryDispatchFilter {

    /** The order of the filter: after authentication, before all filters that use the key. */
    public static final int ORDER = IdempotencyServletFilter.ORDER - 8;

    private static final String KEY = GeneratedKeyFilter.class.getName();

    private final IntakeRoutes intake;
    private final FilterParts parts;

    public GeneratedKeyFilter(IntakeRoutes intake, FilterParts parts) {
        this.intake = intake;
        this.parts = parts;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String keyHeader = parts.keyHeader();
        if (request.getHeader(keyHeader) != null || !needsKey(request)) {
            leave(request, response, chain);
            return;
        }
        // A request that is dispatched again keeps its key.
        String key = Objects.requireNonNullElseGet(
                (String) request.getAttribute(KEY), () -> UUID.randomUUID().toString());
        request.setAttribute(KEY, key);
        response.setHeader(keyHeader, key);
        chain.doFilter(new KeyedRequest(request, keyHeader, key), response);
    }

    private boolean needsKey(HttpServletRequest request) {
        return parts.routes()
                .get()
                .match(request.getMethod(), () -> ServletRequestPaths.within(request))
                .filter(match -> !match.options().required() && intake.has(request.getMethod(), match.pattern()))
                .isPresent();
    }

    /** A request with a generated key. */
    private static final class KeyedRequest extends HttpServletRequestWrapper {

        private final String header;
        private final String key;

        KeyedRequest(HttpServletRequest request, String header, String key) {
            super(request);
            this.header = header;
            this.key = key;
        }

        @Override
        public @Nullable String getHeader(String name) {
            return name.equalsIgnoreCase(header) ? key : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return name.equalsIgnoreCase(header) ? Collections.enumeration(List.of(key)) : super.getHeaders(name);
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            Set<String> names = new LinkedHashSet<>(Collections.list(super.getHeaderNames()));
            names.add(header);
            return Collections.enumeration(names);
        }
    }
}
