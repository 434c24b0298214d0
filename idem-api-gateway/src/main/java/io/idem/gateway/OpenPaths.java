package io.idem.gateway;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.server.PathContainer;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** What is answered to everybody: some paths, and preflight requests, with which browsers send no credentials. Immutable. */
public final class OpenPaths {

    private final List<PathPattern> patterns;

    /**
     * Paths that these patterns match.
     *
     * @param patterns as in {@code @RequestMapping}
     */
    public OpenPaths(List<String> patterns) {
        this.patterns =
                patterns.stream().map(PathPatternParser.defaultInstance::parse).toList();
    }

    /** Whether nobody need authenticate for a request. Not so for a path that cannot be decoded. */
    public boolean include(HttpServletRequest request) {
        return CorsUtils.isPreFlightRequest(request) || isOpen(request);
    }

    private boolean isOpen(HttpServletRequest request) {
        try {
            PathContainer path = ServletRequestPathUtils.parse(request).pathWithinApplication();
            return patterns.stream().anyMatch(pattern -> pattern.matches(path));
        } catch (IllegalArgumentException undecodable) {
            return false;
        }
    }
}
