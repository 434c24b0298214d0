package io.idem.http.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Locale;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/** Tells answers that are sent piece by piece, which must never be held back. */
final class Streaming {

    /**
     * Spring MVC marks requests that are answered by an emitter or a {@code StreamingResponseBody} so, for the sake of its own
     * caching filter. Its name is not public; a test fails if it changes.
     */
    static final String SPRING_MARK = ShallowEtagHeaderFilter.class.getName() + ".STREAMING";

    private static final List<String> MEDIA_TYPES = List.of(
            "text/event-stream", "application/x-ndjson", "application/stream+json", "multipart/x-mixed-replace");

    private Streaming() {}

    static boolean detected(HttpServletRequest request, HttpServletResponse response) {
        String type = response.getContentType();
        return request.getAttribute(SPRING_MARK) != null
                || (type != null && MEDIA_TYPES.stream().anyMatch(type.toLowerCase(Locale.ROOT)::startsWith));
    }
}
