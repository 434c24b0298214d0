package io.idem.http.internal.servlet;

import io.idem.http.IncomingRequest;
import io.idem.http.internal.admission.FormFields;
import io.idem.http.internal.admission.HostNames;
import io.idem.http.internal.admission.ReceivedRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.http.server.PathContainer;

/**
 * The view of a request to a servlet container.
 *
 * @param query query as sent, or that part of it which is compared with retries
 */
public record IncomingServletRequest(HttpServletRequest request, String query, String path) implements ReceivedRequest {

    /** Returns the view of a request. */
    public static IncomingServletRequest of(HttpServletRequest request) {
        return new IncomingServletRequest(request, query(request), sentPath(request));
    }

    @Override
    public ReceivedRequest comparable() {
        Optional<String> token = query.isEmpty() ? Optional.empty() : ServletCsrfParameter.of(request);
        return token.<ReceivedRequest>map(
                        name -> new IncomingServletRequest(request, FormFields.without(query, name), path))
                .orElse(this);
    }

    @Override
    public IncomingRequest former() {
        return new IncomingServletRequest(request, query, request.getRequestURI());
    }

    @Override
    public List<PathContainer> pathsWithin() {
        return ServletRequestPaths.within(request);
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
    public String host() {
        return HostNames.normal(request.getServerName());
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
