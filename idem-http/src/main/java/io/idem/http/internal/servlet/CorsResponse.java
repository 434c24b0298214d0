package io.idem.http.internal.servlet;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** Adds to one of the CORS headers once the origin has been admitted. For one thread at a time, as every response. */
final class CorsResponse extends HttpServletResponseWrapper {

    private final String header;
    private final String value;
    private boolean admitted;

    CorsResponse(HttpServletResponse response, String header, String value) {
        super(response);
        this.header = header;
        this.value = value;
    }

    @Override
    public void setHeader(String name, @Nullable String newValue) {
        super.setHeader(name, newValue);
        if (admitted && name.equalsIgnoreCase(header)) {
            super.addHeader(header, value);
        }
        admit(name, newValue);
    }

    @Override
    public void addHeader(String name, @Nullable String newValue) {
        super.addHeader(name, newValue);
        admit(name, newValue);
    }

    private void admit(String name, @Nullable String newValue) {
        boolean origin = name.equalsIgnoreCase(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
        if (origin && newValue != null && !admitted) {
            admitted = true;
            super.addHeader(header, value);
        } else if (origin && newValue == null) {
            admitted = false;
        }
    }

    @Override
    public void reset() {
        super.reset();
        admitted = false;
    }
}
