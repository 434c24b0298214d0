package io.idem.http.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** A request without the headers that ask for a part of the answer: they are defined for GET only, and a replay must have the whole. */
class WholeAnswerRequest extends HttpServletRequestWrapper {

    WholeAnswerRequest(HttpServletRequest request) {
        super(request);
    }

    private static boolean hidden(String name) {
        return name.equalsIgnoreCase(HttpHeaders.RANGE) || name.equalsIgnoreCase(HttpHeaders.IF_RANGE);
    }

    @Override
    public @Nullable String getHeader(String name) {
        return hidden(name) ? null : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return hidden(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        List<String> names = Collections.list(super.getHeaderNames());
        names.removeIf(WholeAnswerRequest::hidden);
        return Collections.enumeration(names);
    }
}
