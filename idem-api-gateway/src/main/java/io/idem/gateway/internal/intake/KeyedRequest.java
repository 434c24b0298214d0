package io.idem.gateway.internal.intake;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request with a key that its client did not send. */
final class KeyedRequest extends HttpServletRequestWrapper {

    private final String header;
    private final String key;

    KeyedRequest(HttpServletRequest request, String header, String key) {
        super(request);
        this.header = header;
        this.key = key;
    }

    @Override
    public @Nullable String getHeader(String name) {
        return name.equalsIgnoreCase(header) ? key : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return name.equalsIgnoreCase(header) ? Collections.enumeration(List.of(key)) : super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        Set<String> names = new LinkedHashSet<>(Collections.list(super.getHeaderNames()));
        names.add(header);
        return Collections.enumeration(names);
    }
}
