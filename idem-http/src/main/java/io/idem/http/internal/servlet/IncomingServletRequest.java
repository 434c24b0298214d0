package io.idem.http.internal.servlet;

import io.idem.http.IncomingRequest;
import io.idem.http.internal.admission.FormFields;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The view of a request to a servlet container. */
public final class IncomingServletRequest implements IncomingRequest {

    private final HttpServletRequest request;
    private final String query;

    private IncomingServletRequest(HttpServletRequest request, String query) {
        this.request = request;
        this.query = query;
    }

    /** Returns the view of a request. */
    public static IncomingRequest of(HttpServletRequest request) {
        return new IncomingServletRequest(request, query(request));
    }

    /** Returns the view of a request that is compared with retries: without the CSRF token in its query. */
    static IncomingRequest comparable(HttpServletRequest request) {
        String query = query(request);
        return query.isEmpty()
                ? of(request)
                : new IncomingServletRequest(
                        request,
                        ServletCsrfParameter.of(request)
                                .map(token -> FormFields.without(query, token))
                                .orElse(query));
    }

    private static String query(HttpServletRequest request) {
        return request.getQueryString() == null ? "" : request.getQueryString();
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return request.getRequestURI();
    }

    @Override
    public String query() {
        return query;
    }

    @Override
    public String contextPath() {
        return request.getContextPath();
    }

    @Override
    public List<String> header(String name) {
        return Collections.list(request.getHeaders(name));
    }

    @Override
    public Optional<Principal> principal() {
        return Optional.ofNullable(request.getUserPrincipal());
    }

    @Override
    public Optional<String> remoteAddress() {
        return Optional.ofNullable(request.getRemoteAddr());
    }

    @Override
    public Optional<Object> attribute(String name) {
        return Optional.ofNullable(request.getAttribute(name));
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(request) ? Optional.of(type.cast(request)) : Optional.empty();
    }
}
