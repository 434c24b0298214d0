package io.idem.http.internal.admission;

import static org.springframework.web.util.pattern.PathPattern.SPECIFICITY_COMPARATOR;

import io.idem.Fingerprint;
import io.idem.http.IdempotentRoute;
import io.idem.http.IncomingRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The handler methods of the application, read once. Where several share a path and a method, what selects one of them, such as a header,
 * counts in the fingerprint: requests to two handlers are two requests. Thread-safe.
 */
public final class MappedHandlers {

    private static final String CONTENT_TYPE = "content-type";

    /** Parameters of media types that say how bytes are written, and select no handler. */
    private static final List<String> OF_WRITING = List.of("boundary=", "charset=");

    /** Two segments, neither of them empty, of which one has a variable or a wildcard. */
    private static final Pattern OPEN = Pattern.compile("(?=.*[*?{])[^/]+/[^/]+");

    /** Two segments of which one matches any number of segments. */
    private static final Pattern REST = Pattern.compile("(^|/)(\\*\\*|\\{\\*)");

    /** The options for a pattern, in which a percent sign is an ordinary character. */
    private static final PathContainer.Options TEXT = PathContainer.Options.create('/', false);

    private final SingletonSupplier<List<Place>> all;
    private final SingletonSupplier<List<Place>> shared;

    /**
     * Creates the handlers of an application.
     *
     * @param all supplier of the handlers, called when the first route or request asks for them
     */
    public MappedHandlers(Supplier<List<MappedHandler>> all) {
        this.all = SingletonSupplier.of(() -> all.get().stream()
                .flatMap(handler -> handler.paths().stream().map(path -> new Place(handler, path, segments(path))))
                .toList());
        this.shared = SingletonSupplier.of(() -> this.all.obtain().stream()
                .filter(place -> !choosing(beside(place)).isEmpty())
                .toList());
    }

    /** Returns the places, this one among them, that may have a request in common with it. */
    private List<Place> beside(Place place) {
        return all.obtain().stream()
                .filter(other -> other.handler().sharesMethodWith(place.handler())
                        && mayMeet(other.segments(), place.segments()))
                .toList();
    }

    /** Returns the names of the conditions that are not the same in all places. */
    private static Set<String> choosing(List<Place> places) {
        return places.stream()
                .flatMap(place -> place.handler().conditions().entrySet().stream())
                .filter(one -> !places.stream()
                        .allMatch(
                                place -> place.handler().conditions().entrySet().contains(one)))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the segments of a pattern, and an empty one at the end. */
    private static List<String> segments(PathPattern path) {
        return List.of((path.getPatternString() + "/").split("/+", -1));
    }

    /** Returns whether one path may match two patterns. What a variable or wildcard matches is not looked at. */
    private static boolean mayMeet(List<String> one, List<String> other) {
        for (int at = 0; at < Math.min(one.size(), other.size()); at++) {
            String both = one.get(at) + "/" + other.get(at);
            if (REST.matcher(both).find()) {
                return true;
            }
            if (!OPEN.matcher(both).matches() && !one.get(at).equalsIgnoreCase(other.get(at))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the fingerprint of a request with what selects its handler. */
    Fingerprint selecting(Fingerprint fingerprint, IncomingRequest request, Supplier<List<PathContainer>> paths) {
        if (fingerprint.isNone() || shared.obtain().isEmpty()) {
            return fingerprint;
        }
        HttpMethod method = HttpMethod.valueOf(request.method());
        List<Place> found =
                paths.get().stream().flatMap(path -> reached(method, path)).toList();
        List<byte[]> parts = new ArrayList<>(List.of(fingerprint.toBytes()));
        choosing(found)
                .forEach(name -> found.stream()
                        .filter(place -> place.handler().conditions().containsKey(name))
                        .map(place -> name + "=" + sent(name, place.handler(), request))
                        .limit(1)
                        .forEach(part -> parts.add(part.getBytes(StandardCharsets.UTF_8))));
        return parts.size() == 1 ? fingerprint : Fingerprint.of(parts.toArray(byte[][]::new));
    }

    /** Returns the shared places of a path, without those that Spring looks at behind one that takes every request. */
    private Stream<Place> reached(HttpMethod method, PathContainer path) {
        List<Place> matching = shared.obtain().stream()
                .filter(place -> place.handler().handles(method) && place.path().matches(path))
                .toList();
        return matching.stream()
                .filter(place -> matching.stream()
                        .noneMatch(other -> other.handler().conditions().isEmpty()
                                && SPECIFICITY_COMPARATOR.compare(other.path(), place.path()) < 0));
    }

    private static String sent(String name, MappedHandler handler, IncomingRequest request) {
        if (name.equals(MappedHandler.VERSION)) {
            return handler.version().apply(request);
        }
        if (name.startsWith("?")) {
            return FormFields.only(request.query(), name.substring(1));
        }
        String lines = request.header(name).stream().map(String::strip).collect(Collectors.joining(","));
        return name.equals(CONTENT_TYPE)
                ? Arrays.stream(lines.toLowerCase(Locale.ROOT).split(";"))
                        .map(String::strip)
                        .filter(part -> OF_WRITING.stream().noneMatch(part::startsWith))
                        .collect(Collectors.joining(";"))
                : lines;
    }

    /**
     * Returns what handlers of a route read and the fingerprint does not have by itself: headers and cookies of their parameters that select
     * no handler, and conditions of the application's own.
     */
    public Set<String> reads(IdempotentRoute route) {
        Set<String> reads = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        List<String> segments = segments(route.path());
        all.obtain().stream()
                .filter(place -> route.methods().stream().anyMatch(place.handler()::handles)
                        && mayMeet(segments, place.segments()))
                .forEach(place -> {
                    Set<String> choosing = choosing(beside(place));
                    place.handler().reads().stream()
                            .filter(name -> !choosing.contains(
                                    name.toLowerCase(Locale.ROOT).replace(MappedHandler.HEADER, "")))
                            .forEach(reads::add);
                    choosing.stream().filter(MappedHandler.OWN::equals).forEach(reads::add);
                });
        return reads;
    }

    /**
     * Returns the handlers that are not annotated and whose requests the route of an annotated one protects: those of its path, and of more
     * specific ones that no other route has.
     */
    public Stream<String> protectedBy(IdempotentRoute route, List<IdempotentRoute> routes) {
        boolean annotated = all.obtain().stream()
                .anyMatch(place -> place.handler().isAnnotated() && place.path().equals(route.path()));
        return all.obtain().stream()
                .filter(place -> annotated && !place.handler().isAnnotated())
                .filter(place -> route.methods().stream().anyMatch(place.handler()::handles))
                .filter(place -> SPECIFICITY_COMPARATOR.compare(place.path(), route.path()) <= 0)
                // A wider pattern matches a narrower one as if that were a path.
                .filter(place -> route.path()
                        .matches(PathContainer.parsePath(place.path().getPatternString(), TEXT)))
                .filter(place -> place.path().equals(route.path())
                        || routes.stream().noneMatch(other -> other.path().equals(place.path())))
                .map(place -> place.handler().methods() + " " + place.path() + " (by " + route + ")");
    }

    /** Returns the handler that a route may mean, by a slash, a prefix or letters too many or by a method, if it reaches none. */
    public Optional<String> meantBy(IdempotentRoute route) {
        String path = route.path().getPatternString();
        List<String> segments = segments(route.path());
        boolean reached = all.obtain().stream()
                .anyMatch(place -> route.methods().stream().anyMatch(place.handler()::handles)
                        && mayMeet(segments, place.segments())
                        && !path.equals(place.path() + "/"));
        return all.obtain().stream()
                .filter(place -> !reached && like(path, place.path().getPatternString()))
                .map(place -> place.handler().methods() + " " + place.path())
                .findFirst();
    }

    private static boolean like(String path, String other) {
        int same = Arrays.mismatch(path.toCharArray(), other.toCharArray());
        int sameAtEnd = Arrays.mismatch(reversed(path), reversed(other));
        int length = Math.max(path.length(), other.length());
        return same < 0
                || path.equals(other + "/")
                || (other.length() > 1 && path.endsWith(other))
                || length - same - sameAtEnd <= Math.min(2, length / 5);
    }

    private static char[] reversed(String text) {
        return new StringBuilder(text).reverse().toString().toCharArray();
    }

    /** A handler under one of its patterns. */
    private record Place(MappedHandler handler, PathPattern path, List<String> segments) {}
}
