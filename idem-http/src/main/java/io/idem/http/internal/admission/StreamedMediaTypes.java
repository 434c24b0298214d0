package io.idem.http.internal.admission;

import java.util.List;
import java.util.Locale;

/** The media types whose answers are sent piece by piece, and must never be held back. For adapters. */
public final class StreamedMediaTypes {

    private static final List<String> TYPES = List.of(
            "text/event-stream", "application/x-ndjson", "application/stream+json", "multipart/x-mixed-replace");

    private StreamedMediaTypes() {}

    /** Whether a content type, with its parameters, is one of them. */
    public static boolean include(String contentType) {
        return TYPES.stream().anyMatch(contentType.toLowerCase(Locale.ROOT)::startsWith);
    }
}
