package io.idem.http.internal.servlet;

import io.idem.http.internal.admission.StreamedMediaTypes;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/** Tells answers that are sent piece by piece, which must never be held back. */
final class Streaming {

    /**
     * Spring MVC marks requests that are answered by an emitter or a {@code StreamingResponseBody} so, for the sake of its own
     * caching filter. Its name is not public; a test fails if it changes.
     */
    static final String SPRING_MARK = ShallowEtagHeaderFilter.class.getName() + ".STREAMING";

    private Streaming() {}

    static boolean detected(HttpServletRequest request, HttpServletResponse response) {
        String type = response.getContentType();
        return request.getAttribute(SPRING_MARK) != null || (type != null && StreamedMediaTypes.include(type));
    }
}
