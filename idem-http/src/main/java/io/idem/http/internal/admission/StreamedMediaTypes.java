package io.idem.http.internal.admission;

import java.util.List;
import java.util.Locale;

/** The media types of answers that are sent piece by piece, which must never be held back. For adapters. */
public final class StreamedMediaTypes {

    private static final List<String> TYPES = List.of(
            "text/event-stream", "application/x-ndjson", "application/stream+json", "multipart/x-mixed-replace");

    private StreamedMediaTypes() {}

    /** Returns whether a content type, with its parameters, is one of these. */
    public static boolean include(String contentType) {
        return TYPES.stream().anyMatch(contentType.toLowerCase(Locale.ROOT)::startsWith);
    }
}
