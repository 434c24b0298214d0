package io.idem.http.internal.servlet;

import io.idem.http.Header;
import io.idem.http.StoredResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Writes answers that are known as a whole. */
final class ServletAnswerWriter {

    private ServletAnswerWriter() {}

    /** Writes an answer to an uncommitted response; its headers replace those of the same names. */
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
