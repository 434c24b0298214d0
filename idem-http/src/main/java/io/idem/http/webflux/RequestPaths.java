package io.idem.http.webflux;

import java.util.Optional;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** Paths as route patterns see them: without context path. */
final class RequestPaths {

    private RequestPaths() {}

    static Optional<PathContainer> within(ServerHttpRequest request) {
        return Optional.of(request.getPath().pathWithinApplication());
    }
}
