package io.idem.http.internal.servlet;

import io.idem.http.Header;
import io.idem.http.StoredResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.springframework.http.HttpHeaders;

/** Writes answers that are known as a whole. */
final class ServletAnswerWriter {

    private ServletAnswerWriter() {}

    /** Writes an answer to an uncommitted response. Its headers replace those of the same names; a length that may change is not set. */
    static void write(StoredResponse answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        setHeaders(answer.headers(), response);
        byte[] body = answer.body();
        if (body.length > 0) {
            if (ThreadlessWaits.unknown(response).isEmpty()) {
                response.setContentLength(body.length);
            }
            response.getOutputStream().write(body);
        }
        for (Header header : answer.headers()) {
            if (answer.redirects() && header.name().equalsIgnoreCase(HttpHeaders.LOCATION)) {
                redirect(header.value(), answer.status(), body.length == 0, response);
            }
        }
    }

    /** Lets the container redirect, by the method that filters in front know best. */
    static void redirect(String location, int status, boolean clearBuffer, HttpServletResponse response)
            throws IOException {
        response.setHeader(HttpHeaders.LOCATION, null);
        if (status == HttpServletResponse.SC_FOUND && clearBuffer) {
            response.sendRedirect(location);
        } else {
            response.sendRedirect(location, status, clearBuffer);
        }
    }

    static void setHeaders(List<Header> headers, HttpServletResponse response) {
        Set<String> set = new HashSet<>();
        for (Header header : headers) {
            if (set.add(header.name().toLowerCase(Locale.ROOT))) {
                response.setHeader(header.name(), header.value());
            } else {
                response.addHeader(header.name(), header.value());
            }
        }
    }
}
