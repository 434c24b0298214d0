package io.idem.gateway.service.internal.access;

import io.idem.http.internal.servlet.ServletRequestPaths;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.util.List;
import org.springframework.http.server.PathContainer;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The paths that need no authentication, and preflight requests, with which browsers send no credentials. Immutable.
 */
public final class OpenPaths {

    private final List<PathPattern> patterns;

    /** @param patterns patterns as in {@code @RequestMapping} */
    public OpenPaths(List<String> patterns) {
        this.patterns =
                patterns.stream().map(PathPatternParser.defaultInstance::parse).toList();
    }

    /**
     * Returns whether a request needs no authentication. Never true for a path that the container reads differently
     * than it was sent, such as one with dot segments, nor for one by which the container found a servlet by its
     * extension, unless a pattern contains it.
     */
    public boolean include(HttpServletRequest request) {
        return CorsUtils.isPreFlightRequest(request)
                || ServletRequestPaths.normal(request)
                        .filter(path -> isOpen(path, request))
                        .isPresent();
    }

    private boolean isOpen(PathContainer path, HttpServletRequest request) {
        String extension = extension(request.getHttpServletMapping());
        return patterns.stream()
                .anyMatch(pattern -> pattern.getPatternString().endsWith(extension) && pattern.matches(path));
    }

    private static String extension(HttpServletMapping mapping) {
        return mapping.getMappingMatch() == MappingMatch.EXTENSION
                ? mapping.getPattern().substring(1)
                : "";
    }
}
