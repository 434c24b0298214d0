package io.idem.http.internal.webflux;

import java.util.List;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** The paths of requests with which route patterns are compared: as sent, without context path, as Spring finds handlers. */
final class ReactiveRequestPaths {

    private ReactiveRequestPaths() {}

    /** Returns the path and, if it ends with a slash, the path without it, because a filter behind this one may remove the slash. */
    static List<PathContainer> within(ServerHttpRequest request) {
        PathContainer path = request.getPath().pathWithinApplication();
        int size = path.elements().size();
        return size > 1 && path.elements().get(size - 1) instanceof PathContainer.Separator
                ? List.of(path, path.subPath(0, size - 1))
                : List.of(path);
    }
}
