package io.idem.http.internal.servlet;

import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * The paths of requests with which route patterns are compared. Spring finds handlers by the path as it was sent; the container finds
 * servlets by the decoded path, without path parameters and with dot segments and double slashes resolved. For adapters.
 */
public final class ServletRequestPaths {

    /** The options for text that the container has decoded, in which percent signs and semicolons are ordinary characters. */
    private static final PathContainer.Options DECODED = PathContainer.Options.create('/', false);

    private static final char SLASH = '/';

    private ServletRequestPaths() {}

    /**
     * Returns every path under which the request may find its handler, the likeliest first: as sent, without context path and servlet path;
     * as the container decoded it; the path of a servlet that is mapped to a prefix; and each of these without the slash at its end, which
     * a filter behind this one may remove. Empty for a path that cannot be decoded, which matches no handler either.
     */
    public static List<PathContainer> within(HttpServletRequest request) {
        boolean dispatcher = foundByDispatcher(request);
        boolean sentFirst = dispatcher || normal(request).isPresent();
        List<PathContainer> readings = new ArrayList<>();
        if (sentFirst) {
            sent(request).ifPresent(readings::add);
        }
        readings.addAll(understood(request, dispatcher));
        if (!sentFirst) {
            sent(request).ifPresent(readings::add);
        }
        List<PathContainer> all = new ArrayList<>(readings);
        readings.stream().flatMap(path -> withoutSlash(path).stream()).forEach(all::add);
        return all;
    }

    /**
     * Returns the path, without the context path and the prefix of a dispatcher servlet, if it is unambiguous: it has no dot segments,
     * empty segments or encoded separators, and equals the path that the container decoded. Empty for every other path.
     */
    public static Optional<PathContainer> normal(HttpServletRequest request) {
        try {
            PathContainer path = RequestPath.parse(request.getRequestURI(), request.getContextPath())
                    .pathWithinApplication();
            return text(path)
                    .filter(whole(request)::equals)
                    .flatMap(same -> foundByDispatcher(request) ? sent(request) : Optional.of(path));
        } catch (IllegalArgumentException | IllegalStateException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(PathContainer path) {
        StringBuilder text = new StringBuilder();
        for (PathContainer.Element element : path.elements()) {
            String value = element instanceof PathContainer.PathSegment segment ? segment.valueToMatch() : "/";
            boolean separator = !(element instanceof PathContainer.PathSegment);
            if (separator ? endsWithSlash(text) : !plain(value)) {
                return Optional.empty();
            }
            text.append(value);
        }
        return Optional.of(text.toString());
    }

    private static boolean endsWithSlash(CharSequence text) {
        return !text.isEmpty() && text.charAt(text.length() - 1) == SLASH;
    }

    private static boolean plain(String segment) {
        return !segment.isEmpty()
                && !segment.equals(".")
                && !segment.equals("..")
                && segment.indexOf(SLASH) < 0
                && segment.indexOf('\\') < 0;
    }

    /** Returns whether a dispatcher servlet handles the request: one that is mapped to a prefix, or to all other requests. */
    private static boolean foundByDispatcher(HttpServletRequest request) {
        MappingMatch match = request.getHttpServletMapping().getMappingMatch();
        return match == null
                || match == MappingMatch.DEFAULT
                || match == MappingMatch.CONTEXT_ROOT
                || (match == MappingMatch.PATH && isDispatcher(request));
    }

    private static boolean isDispatcher(HttpServletRequest request) {
        ServletRegistration servlet = request.getServletContext()
                .getServletRegistration(request.getHttpServletMapping().getServletName());
        return servlet != null && DispatcherServlet.class.getName().equals(servlet.getClassName());
    }

    private static Optional<PathContainer> sent(HttpServletRequest request) {
        try {
            return Optional.of(ServletRequestPathUtils.parse(request).pathWithinApplication());
        } catch (IllegalArgumentException | IllegalStateException unreadable) {
            return Optional.empty();
        }
    }

    private static List<PathContainer> understood(HttpServletRequest request, boolean dispatcher) {
        List<PathContainer> paths = new ArrayList<>();
        boolean prefixed = request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH;
        if (!prefixed || !dispatcher) {
            add(whole(request), paths);
        }
        if (prefixed) {
            add(below(request), paths);
        }
        if (prefixed && !dispatcher) {
            add(request.getServletPath(), paths);
        }
        return paths;
    }

    private static void add(String path, List<PathContainer> paths) {
        if (!path.isEmpty()) {
            paths.add(PathContainer.parsePath(path, DECODED));
        }
    }

    static String whole(HttpServletRequest request) {
        return request.getServletPath() + below(request);
    }

    private static String below(HttpServletRequest request) {
        return request.getPathInfo() == null ? "" : request.getPathInfo();
    }

    private static Optional<PathContainer> withoutSlash(PathContainer path) {
        int size = path.elements().size();
        return size > 1 && path.elements().get(size - 1) instanceof PathContainer.Separator
                ? Optional.of(path.subPath(0, size - 1))
                : Optional.empty();
    }
}
