package io.idem.http.internal.servlet;

import io.idem.http.IncomingRequest;
import io.idem.http.internal.admission.FormFields;
import io.idem.http.internal.admission.HostNames;
import io.idem.http.internal.admission.ReceivedRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.server.PathContainer;

/**
 * The view of a request to a servlet container.
 *
 * @param query query as sent, or that part of it which is compared with retries
 */
public record IncomingServletRequest(HttpServletRequest request, String query, String path) implements ReceivedRequest {

    /** Returns the view of a request. */
    public static IncomingServletRequest of(HttpServletRequest request) {
        return new IncomingServletRequest(
                request,
                Objects.requireNonNullElse(request.getQueryString(), ""),
                withoutPrefix(request, request.getRequestURI()));
    }

    @Override
    public ReceivedRequest comparable() {
        String queries = from("query_string", query).distinct().collect(Collectors.joining("&"));
        Optional<String> token = queries.isEmpty() ? Optional.empty() : ServletCsrfParameter.of(request);
        return new IncomingServletRequest(
                request,
                token.map(name -> FormFields.without(queries, name)).orElse(queries),
                from("request_uri", request.getRequestURI())
                        .map(uri -> withoutPrefix(request, uri))
                        .distinct()
                        .collect(Collectors.joining(" ")));
    }

    /** Returns a part of the address as it was sent, if the request was dispatched or forwarded to another one, and as it is now. */
    private Stream<String> from(String part, String now) {
        return Stream.concat(
                Stream.of("jakarta.servlet.async.", "jakarta.servlet.forward.")
                        .flatMap(by -> attribute(by + part).stream())
                        .map(String::valueOf),
                Stream.of(now));
    }

    /** Returns this view if the request was forwarded, which no earlier version has protected. */
    @Override
    public IncomingRequest former() {
        return path.equals(withoutPrefix(request, request.getRequestURI()))
                ? new IncomingServletRequest(request, query, request.getRequestURI())
                : this;
    }

    @Override
    public List<PathContainer> pathsWithin() {
        return ServletRequestPaths.within(request);
    }

    /** Returns the path, with the context path of the server in place of a forwarded prefix. */
    private static String withoutPrefix(HttpServletRequest request, String path) {
        String prefix = request.getContextPath();
        return path.startsWith(prefix)
                ? request.getServletContext().getContextPath() + path.substring(prefix.length())
                : path;
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
