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
 * Paths of requests as patterns are compared with them. Spring's handlers are found by the path as it was sent, servlets by what the
 * container made of it: decoded, without path parameters, and with dot segments and double slashes resolved. For adapters.
 */
public final class ServletRequestPaths {

    /** For text that the container has decoded: a percent sign or a semicolon in it is an ordinary character. */
    private static final PathContainer.Options DECODED = PathContainer.Options.create('/', false);

    private static final char SLASH = '/';

    private ServletRequestPaths() {}

    /**
     * Every path under which the request may find its handler, the likeliest first: as sent, without context path and servlet path; as the
     * container understood it; the path of a servlet that takes whatever comes below it; and each of these without a slash at its end,
     * which a filter behind this one may cut off. Empty for a path that cannot be decoded: no handler will match it either.
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
     * The path, without the context path and the prefix of a dispatcher servlet, if everybody reads it alike: it has neither dot segments
     * nor empty ones nor encoded separators, and is what the container understood. Empty for every other path.
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

    /** A dispatcher servlet goes by the path as it was sent; it answers what no other servlet is mapped to, or all below a prefix. */
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

    private static String whole(HttpServletRequest request) {
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
