package io.idem.http.internal.admission;

import io.idem.Fingerprint;
import io.idem.http.IdempotentRoute;
import io.idem.http.IncomingRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
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

    private final Set<String> versionBy;
    private final SingletonSupplier<List<MappedHandler>> all;
    private final SingletonSupplier<List<Shared>> shared;

    /**
     * Creates the handlers of an application.
     *
     * @param all supplier of the handlers, called when the first route or request asks for them
     * @param versionBy headers, in lower case, that have the version of the API
     */
    public MappedHandlers(Supplier<List<MappedHandler>> all, Set<String> versionBy) {
        this.versionBy = versionBy;
        this.all = SingletonSupplier.of(all);
        this.shared = SingletonSupplier.of(() -> handlers()
                .flatMap(handler -> handler.paths().stream().map(path -> shared(handler, path)))
                .filter(one -> !one.choosing().isEmpty())
                .toList());
    }

    private Stream<MappedHandler> handlers() {
        return all.obtain().stream();
    }

    /** Returns a handler with the names of those conditions that are not the same in all handlers of a path. */
    private Shared shared(MappedHandler handler, PathPattern path) {
        List<MappedHandler> beside = handlers()
                .filter(other -> other.paths().contains(path) && other.sharesMethodWith(handler))
                .toList();
        Set<String> names = new TreeSet<>();
        beside.forEach(other -> names.addAll(other.conditions().keySet()));
        names.removeIf(
                name -> beside.stream().allMatch(other -> other.condition(name).equals(handler.condition(name))));
        return new Shared(handler, path, names);
    }

    /** Returns the fingerprint of a request with what selects its handler. */
    Fingerprint selecting(Fingerprint fingerprint, IncomingRequest request, Supplier<List<PathContainer>> paths) {
        if (fingerprint.isNone() || shared.obtain().isEmpty()) {
            return fingerprint;
        }
        List<PathContainer> within = paths.get();
        SortedSet<String> names = new TreeSet<>();
        shared.obtain().stream()
                .filter(one -> one.handler().handles(HttpMethod.valueOf(request.method()))
                        && within.stream().anyMatch(one.path()::matches))
                .forEach(one -> names.addAll(one.choosing()));
        if (names.remove(MappedHandler.VERSION)) {
            names.addAll(versionBy);
        }
        List<byte[]> parts = new ArrayList<>(List.of(fingerprint.toBytes()));
        names.forEach(name -> parts.add((name + "=" + sent(name, request)).getBytes(StandardCharsets.UTF_8)));
        return names.isEmpty() ? fingerprint : Fingerprint.of(parts.toArray(byte[][]::new));
    }

    private static String sent(String name, IncomingRequest request) {
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

    /** Returns whether the version of the API selects handlers of a route. */
    public boolean haveVersions(IdempotentRoute route) {
        return shared.obtain().stream()
                .anyMatch(one ->
                        one.choosing().contains(MappedHandler.VERSION) && under(route, one.handler(), one.path()));
    }

    /** Returns the headers and cookies that parameters of a route's handlers read and that select no handler. */
    public Set<String> reads(IdempotentRoute route) {
        Set<String> reads = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        handlers()
                .filter(handler -> handler.paths().stream().anyMatch(path -> under(route, handler, path)))
                .forEach(handler -> reads.addAll(handler.reads()));
        shared.obtain().stream()
                .filter(one -> under(route, one.handler(), one.path()))
                .forEach(one -> one.choosing().forEach(name -> reads.remove(MappedHandler.HEADER + name)));
        return reads;
    }

    /** Returns whether a handler answers requests to a route. The text of its pattern stands for a path. */
    private static boolean under(IdempotentRoute route, MappedHandler handler, PathPattern path) {
        return route.methods().stream().anyMatch(handler::handles)
                && (route.path().equals(path)
                        || route.path().matches(PathContainer.parsePath(path.getPatternString())));
    }

    /** A handler of a path, and what tells it from the others there. */
    private record Shared(MappedHandler handler, PathPattern path, Set<String> choosing) {}
}
