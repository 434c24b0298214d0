package io.idem.http;

import io.idem.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Digests the parts of a request that a retry must repeat. Thread-safe. */
@FunctionalInterface
public interface RequestFingerprinter {

    /**
     * Returns the fingerprint of a request.
     *
     * @param body the received bytes as one part; for a multipart body the name, file name, type and content digest of every part;
     *     for a form that was read before, names and values. Must not be changed
     */
    Fingerprint fingerprint(IncomingRequest request, List<byte[]> body);

    /** Returns the default: SHA-256 over method, path, query and body, each prefixed with its length. */
    static RequestFingerprinter wholeRequest() {
        return (request, body) -> {
            List<byte[]> parts = new ArrayList<>();
            parts.add(bytes(request.method()));
            parts.add(bytes(request.path()));
            parts.add(bytes(request.query()));
            parts.addAll(body);
            return Fingerprint.of(parts.toArray(byte[][]::new));
        };
    }

    /** Returns a fingerprinter by which all requests are the same. */
    static RequestFingerprinter none() {
        return RouteOptions.NOT_COMPARED;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
