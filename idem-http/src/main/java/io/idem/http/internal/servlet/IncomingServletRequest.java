package io.idem.http.internal.servlet;

import io.idem.http.IncomingRequest;
import io.idem.http.internal.admission.FormFields;
import io.idem.http.internal.admission.HostNames;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The view of a request to a servlet container. */
public final class IncomingServletRequest implements IncomingRequest {

    private final HttpServletRequest request;
    private final String query;
    private final String path;

    private IncomingServletRequest(HttpServletRequest request, String query, String path) {
        this.request = request;
        this.query = query;
        this.path = path;
    }

    /** Returns the view of a request. */
    public static IncomingServletRequest of(HttpServletRequest request) {
        return new IncomingServletRequest(request, query(request), sentPath(request));
    }

    /** Returns the view of a request that is compared with retries: without the CSRF token in its query. */
    static IncomingServletRequest comparable(HttpServletRequest request) {
        String query = query(request);
        return query.isEmpty()
                ? of(request)
                : new IncomingServletRequest(
                        request,
                        ServletCsrfParameter.of(request)
                                .map(token -> FormFields.without(query, token))
                                .orElse(query),
                        sentPath(request));
    }

    /** Returns this view with the path as earlier versions read it: behind the prefix that a proxy has cut off. */
    IncomingRequest former() {
        return new IncomingServletRequest(request, query, request.getRequestURI());
    }

    /** Returns the path, with the context path of the server in place of a forwarded prefix. */
    private static String sentPath(HttpServletRequest request) {
        String path = request.getRequestURI();
        String prefix = request.getContextPath();
        return path.startsWith(prefix)
                ? request.getServletContext().getContextPath() + path.substring(prefix.length())
                : path;
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
        return path;
    }

    @Override
    public String host() {
        return HostNames.normal(request.getServerName());
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
