package io.idem.http.internal.admission;

import io.idem.Idempotent;
import io.idem.http.IncomingRequest;
import java.lang.annotation.Annotation;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A handler method with the conditions under which it is chosen. Immutable.
 *
 * @param methods HTTP methods; empty for all
 * @param paths patterns, which may match more paths than the handler has if a {@code PathMatcher} finds it
 * @param byPathMatcher whether a {@code PathMatcher} finds the handler
 * @param conditions texts of the conditions beside method and path, by what they are about: a header in lower case, a parameter behind a
 *     question mark, {@value #VERSION} or {@value #OWN}
 * @param version returns the version of the API that a request asks for, as Spring reads it; empty if there is none
 */
public record MappedHandler(
        HandlerMethod handler,
        Set<RequestMethod> methods,
        Collection<PathPattern> paths,
        boolean byPathMatcher,
        Map<String, String> conditions,
        Function<IncomingRequest, String> version) {

    /** The name of the condition on the version of the API. */
    public static final String VERSION = "version";

    /** The name of a condition of the application's own, of which nobody knows what it reads. */
    public static final String OWN = "custom condition";

    static final String HEADER = "header:";

    /** The types of parameters that get every header, whether they read one or not. */
    private static final Set<Class<?>> ALL_HEADERS = Set.of(Map.class, MultiValueMap.class, HttpHeaders.class);

    /** Creates a handler; a condition without a text does not count. */
    public MappedHandler {
        conditions = new TreeMap<>(conditions);
        conditions.values().removeIf(text -> text.isEmpty() || text.equals("[]"));
    }

    boolean handles(HttpMethod method) {
        return methods.isEmpty()
                || methods.stream().anyMatch(known -> known.asHttpMethod().equals(method));
    }

    boolean isAnnotated() {
        return AnnotatedElementUtils.hasAnnotation(handler.getMethod(), Idempotent.class)
                || AnnotatedElementUtils.hasAnnotation(handler.getBeanType(), Idempotent.class);
    }

    boolean sharesMethodWith(MappedHandler other) {
        return methods.isEmpty() || other.methods.isEmpty() || methods.stream().anyMatch(other.methods::contains);
    }

    /** Returns the headers and cookies that parameters of the handler read, as {@code header:} or {@code cookie:} and a name. */
    List<String> reads() {
        return Stream.of(handler.getMethodParameters())
                .filter(parameter -> !ALL_HEADERS.contains(parameter.getParameterType()))
                .flatMap(parameter -> Stream.concat(
                        read(parameter, RequestHeader.class, HEADER), read(parameter, CookieValue.class, "cookie:")))
                .toList();
    }

    private static Stream<String> read(MethodParameter parameter, Class<? extends Annotation> kind, String prefix) {
        parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
        return MergedAnnotations.from(parameter.getParameterAnnotations()).stream(kind)
                .map(annotation -> annotation.getString("name"))
                .map(name -> prefix + (name.isEmpty() ? parameter.getParameterName() : name));
    }
}
