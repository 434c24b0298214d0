package io.idem.http.internal.servlet;

import io.idem.http.internal.admission.FilterParts;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.util.StringUtils;
import org.springframework.web.cors.CorsUtils;

/**
 * Lets browsers send keys to protected routes and read idem's response headers, if the application's CORS rules admit the request itself.
 * Belongs before all other CORS processing: it hides the key's header of a preflight from that, and adds idem's headers to the allowed ones
 * if the origin is admitted. No origin, method or other header is admitted in addition. Thread-safe.
 */
public final class IdempotencyCorsFilter extends EveryDispatchFilter {

    /** The order of the filter: before all others. */
    public static final int ORDER = Ordered.HIGHEST_PRECEDENCE;

    private final FilterParts parts;

    public IdempotencyCorsFilter(FilterParts parts) {
        this.parts = parts;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (CorsUtils.isPreFlightRequest(request)) {
            preflight(request, response, chain);
        } else if (request.getHeader(HttpHeaders.ORIGIN) != null && isProtected(request, request.getMethod())) {
            chain.doFilter(
                    request,
                    new CorsResponse(response, HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, parts.exposedHeaders()));
        } else {
            leave(request, response, chain);
        }
    }

    private void preflight(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String keyHeader = parts.keyHeader();
        PreflightRequest withoutKey = new PreflightRequest(request, keyHeader);
        if (withoutKey.asksForKey
                && isProtected(request, request.getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD))) {
            chain.doFilter(withoutKey, new CorsResponse(response, HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, keyHeader));
        } else {
            leave(request, response, chain);
        }
    }

    private boolean isProtected(HttpServletRequest request, String method) {
        return parts.routes()
                .get()
                .find(method, () -> ServletRequestPaths.within(request))
                .isPresent();
    }

    /** A preflight request in which the key's header is hidden. */
    private static final class PreflightRequest extends HttpServletRequestWrapper {

        private final @Nullable String others;
        private final boolean asksForKey;

        PreflightRequest(HttpServletRequest request, String keyHeader) {
            super(request);
            String lines =
                    String.join(",", Collections.list(request.getHeaders(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS)));
            List<String> names = new ArrayList<>(List.of(StringUtils.tokenizeToStringArray(lines, ",")));
            this.asksForKey = names.removeIf(keyHeader::equalsIgnoreCase);
            this.others = names.isEmpty() ? null : String.join(", ", names);
        }

        @Override
        public @Nullable String getHeader(String name) {
            return requestHeaders(name) ? others : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return requestHeaders(name)
                    ? Collections.enumeration(Stream.ofNullable(others).toList())
                    : super.getHeaders(name);
        }

        private static boolean requestHeaders(String name) {
            return name.equalsIgnoreCase(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS);
        }
    }

    /** A response that adds names to those of a CORS header once the origin is admitted. For one thread at a time, as every response. */
    private static final class CorsResponse extends HttpServletResponseWrapper {

        private final String header;
        private final String names;
        private boolean admitted;

        CorsResponse(HttpServletResponse response, String header, String names) {
            super(response);
            this.header = header;
            this.names = names;
            // The rules of the path from which the request was forwarded may have admitted the origin before.
            list(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, getHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN));
        }

        @Override
        public void setHeader(String name, @Nullable String newValue) {
            super.setHeader(name, newValue);
            list(name, newValue);
        }

        @Override
        public void addHeader(String name, @Nullable String newValue) {
            super.addHeader(name, newValue);
            list(name, newValue);
        }

        private void list(String changed, @Nullable String newValue) {
            boolean origin = changed.equalsIgnoreCase(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
            admitted = origin ? newValue != null : admitted;
            if (admitted && (origin || changed.equalsIgnoreCase(header))) {
                super.setHeader(header, FilterParts.listing(getHeaders(header), names));
            }
        }

        @Override
        public void reset() {
            super.reset();
            admitted = false;
        }
    }
}
