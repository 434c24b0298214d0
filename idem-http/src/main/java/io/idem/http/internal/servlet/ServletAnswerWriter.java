package io.idem.http.internal.servlet;

import io.idem.http.Header;
import io.idem.http.StoredResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Sends an answer that is known as a whole. */
final class ServletAnswerWriter {

    private ServletAnswerWriter() {}

    /** Writes to a response that is not committed; the answer's headers take the place of those there, by name. */
    static void write(StoredResponse answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        Set<String> set = new HashSet<>();
        for (Header header : answer.headers()) {
            if (set.add(header.name().toLowerCase(Locale.ROOT))) {
                response.setHeader(header.name(), header.value());
            } else {
                response.addHeader(header.name(), header.value());
            }
        }
        byte[] body = answer.body();
        if (body.length > 0) {
            response.setContentLength(body.length);
        }
        response.getOutputStream().write(body);
    }
}
