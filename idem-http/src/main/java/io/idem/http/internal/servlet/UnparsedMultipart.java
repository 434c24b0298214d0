package io.idem.http.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A multipart body as it was received. It shows no parts: the container cannot parse what was read, and its failure would end the request. */
final class UnparsedMultipart extends BufferedServletRequest {

    UnparsedMultipart(HttpServletRequest request, byte[] body) {
        super(request, body);
    }

    @Override
    public Collection<Part> getParts() {
        return List.of();
    }

    @Override
    public @Nullable Part getPart(String name) {
        return null;
    }
}
