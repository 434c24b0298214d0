package io.idem.http.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A form whose body was read: its parameters are ours, because the container can no longer find them. */
final class BufferedFormRequest extends BufferedServletRequest {

    private final Map<String, String[]> parameters;

    BufferedFormRequest(HttpServletRequest request, byte[] bytes, Map<String, String[]> parameters) {
        super(request, bytes);
        this.parameters = parameters;
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = parameters.get(name);
        return values == null ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        String[] values = parameters.get(name);
        return values == null ? null : values.clone();
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        return Collections.unmodifiableMap(parameters);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(parameters.keySet());
    }
}
