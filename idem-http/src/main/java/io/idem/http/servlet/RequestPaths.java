package io.idem.http.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.ServletRequestPathUtils;

/** Paths as route patterns see them: without context path and servlet path. */
final class RequestPaths {

    private RequestPaths() {}

    /** Empty for a path that cannot be decoded. */
    static Optional<PathContainer> within(HttpServletRequest request) {
        try {
            return Optional.of(ServletRequestPathUtils.parse(request).pathWithinApplication());
        } catch (IllegalArgumentException undecodable) {
            return Optional.empty();
        }
    }
}
