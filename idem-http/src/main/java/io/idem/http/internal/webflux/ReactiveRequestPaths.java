package io.idem.http.internal.webflux;

import java.util.List;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** Paths as route patterns see them: without context path, as sent. Handlers are found by nothing else. */
final class ReactiveRequestPaths {

    private ReactiveRequestPaths() {}

    /** The path, and then the path without a slash at its end, which a filter behind this one may cut off. */
    static List<PathContainer> within(ServerHttpRequest request) {
        PathContainer path = request.getPath().pathWithinApplication();
        int size = path.elements().size();
        return size > 1 && path.elements().get(size - 1) instanceof PathContainer.Separator
                ? List.of(path, path.subPath(0, size - 1))
                : List.of(path);
    }
}
