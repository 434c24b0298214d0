package io.idem.http.internal.webflux;

import io.idem.http.IncomingRequest;
import io.idem.http.internal.admission.HostNames;
import io.idem.http.internal.admission.ReceivedRequest;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.springframework.context.ApplicationContext;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The view of a request to a reactive server, with its principal, which was resolved before. */
record IncomingReactiveRequest(ServerWebExchange exchange, Optional<Principal> principal, String path)
        implements ReceivedRequest {

    private static final String BASE_PATH = "spring.webflux.base-path";

    /** The name of Spring Security's anonymous principal, which is no tenant because all unauthenticated clients share it. */
    private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

    IncomingReactiveRequest(ServerWebExchange exchange, Optional<Principal> principal) {
        this(exchange, principal, sentPath(exchange));
    }

    static Mono<IncomingReactiveRequest> of(ServerWebExchange exchange) {
        return exchange.<Principal>getPrincipal()
                .filter(principal -> !ANONYMOUS.equals(principal.getClass().getName()))
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .map(principal -> new IncomingReactiveRequest(exchange, principal));
    }

    @Override
    public String method() {
        return exchange.getRequest().getMethod().name();
    }

    @Override
    public List<PathContainer> pathsWithin() {
        return ReactiveRequestPaths.within(exchange.getRequest());
    }

    @Override
    public IncomingRequest former() {
        return new IncomingReactiveRequest(
                exchange, principal, exchange.getRequest().getURI().getRawPath());
    }

    /** Returns the path, with the base path of the application in place of a forwarded prefix. */
    private static String sentPath(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        ApplicationContext application = exchange.getApplicationContext();
        return request.getPath().contextPath().value().isEmpty() || application == null
                ? request.getURI().getRawPath()
                : application.getEnvironment().getProperty(BASE_PATH, "")
                        + request.getPath().pathWithinApplication().value();
    }

    @Override
    public String host() {
        String authority = exchange.getRequest().getURI().getRawAuthority();
        return authority == null ? "" : HostNames.normal(authority.substring(authority.indexOf('@') + 1));
    }

    @Override
    public String query() {
        String query = exchange.getRequest().getURI().getRawQuery();
        return query == null ? "" : query;
    }

    @Override
    public String contextPath() {
        return exchange.getRequest().getPath().contextPath().value();
    }

    @Override
    public List<String> header(String name) {
        return exchange.getRequest().getHeaders().getOrEmpty(name);
    }

    @Override
    public Optional<String> remoteAddress() {
        return Optional.ofNullable(exchange.getRequest().getRemoteAddress()).map(IncomingReactiveRequest::text);
    }

    /** Returns the text of an address. An unresolved name stays a name, because a look-up would block. */
    private static String text(InetSocketAddress address) {
        return address.getAddress() == null
                ? address.getHostString()
                : address.getAddress().getHostAddress();
    }

    @Override
    public Optional<Object> attribute(String name) {
        return Optional.ofNullable(exchange.getAttribute(name));
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(exchange) ? Optional.of(type.cast(exchange)) : Optional.empty();
    }
}
