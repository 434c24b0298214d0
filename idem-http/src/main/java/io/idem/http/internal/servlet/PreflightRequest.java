package io.idem.http.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** A preflight that does not ask for the key's header. */
final class PreflightRequest extends HttpServletRequestWrapper {

    private final String keyHeader;
    private final List<String> others = new ArrayList<>();
    private boolean asksForKey;

    PreflightRequest(HttpServletRequest request, String keyHeader) {
        super(request);
        this.keyHeader = keyHeader;
        for (String line : Collections.list(request.getHeaders(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS))) {
            for (String name : line.split(",", -1)) {
                add(name.strip());
            }
        }
    }

    private void add(String name) {
        if (name.equalsIgnoreCase(keyHeader)) {
            asksForKey = true;
        } else if (!name.isEmpty()) {
            others.add(name);
        }
    }

    boolean asksForKey() {
        return asksForKey;
    }

    String keyHeader() {
        return keyHeader;
    }

    @Override
    public @Nullable String getHeader(String name) {
        if (!requestHeaders(name)) {
            return super.getHeader(name);
        }
        return others.isEmpty() ? null : String.join(", ", others);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        if (!requestHeaders(name)) {
            return super.getHeaders(name);
        }
        return others.isEmpty()
                ? Collections.emptyEnumeration()
                : Collections.enumeration(List.of(String.join(", ", others)));
    }

    private static boolean requestHeaders(String name) {
        return name.equalsIgnoreCase(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS);
    }
}
