package io.idem.http.servlet;

import io.idem.http.Header;
import io.idem.http.StoredResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Answers with a stored response: status, stored headers and body as they were, and the marker. */
final class Replays {

    /** Tells that the first answer had a body which is not kept. */
    static final String BODY_OMITTED = "Idempotency-Body-Omitted";

    /** Without the body they would be wrong. */
    private static final Set<String> OF_BODY = Set.of("content-type", "content-encoding", "content-range");

    private final ReplayMarker marker;

    Replays(ReplayMarker marker) {
        this.marker = marker;
    }

    void write(StoredResponse stored, HttpServletResponse response) throws IOException {
        response.setStatus(stored.status());
        Set<String> set = new HashSet<>();
        for (Header header : stored.headers()) {
            write(header, stored, set, response);
        }
        response.setHeader(marker.name(), marker.value());
        if (stored.bodyOmitted()) {
            response.setHeader(BODY_OMITTED, "true");
        }
        byte[] body = stored.body();
        if (body.length > 0) {
            response.setContentLength(body.length);
        }
        response.getOutputStream().write(body);
    }

    private static void write(Header header, StoredResponse stored, Set<String> set, HttpServletResponse response) {
        String lower = header.name().toLowerCase(Locale.ROOT);
        if (stored.bodyOmitted() && OF_BODY.contains(lower)) {
            return;
        }
        if (set.add(lower)) {
            response.setHeader(header.name(), header.value());
        } else {
            response.addHeader(header.name(), header.value());
        }
    }
}
