package io.idem.http.internal.admission;

import static io.idem.internal.value.Arguments.require;

import io.idem.Fingerprint;
import io.idem.http.IncomingRequest;
import io.idem.http.RequestFingerprinter;
import io.idem.http.RouteOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Digests method and path of a request and, by these rules, its query, headers and body. Two requests that agree in the digested parts are
 * the same request. If the rules change, retries of requests that were recorded before become mismatches. Immutable, thread-safe.
 *
 * @param query whether the query counts
 * @param canonicalJson whether a JSON body counts by its value, so that the order of members, spacing, escapes and the spelling of numbers
 *     do not count. A body that is not well-formed, or has a member twice, counts by its bytes
 * @param headers names of headers that count
 * @param leaveOut JSON pointers (RFC 6901) of fields that do not count, for example {@code /sentAt}; {@code *} stands for every element of
 *     an array or member of an object. Needs {@code canonicalJson}
 */
public record FingerprintRules(boolean query, boolean canonicalJson, List<String> headers, List<String> leaveOut)
        implements RequestFingerprinter {

    /**
     * Creates rules.
     *
     * @throws IllegalArgumentException names the pointer that is not valid
     */
    public FingerprintRules {
        headers = headers.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .sorted()
                .toList();
        leaveOut = List.copyOf(leaveOut);
        require(canonicalJson || leaveOut.isEmpty(), "fingerprint.leave-out needs fingerprint.canonical-json=true");
        leaveOut.stream().filter(field -> !field.startsWith("/")).findAny().ifPresent(field -> {
            throw new IllegalArgumentException(
                    "fingerprint.leave-out \"" + field + "\" is no JSON pointer; write it as /" + field);
        });
    }

    /** Returns the headers that count on a route; none if its fingerprinter is not of this type. */
    public static List<String> headersOf(RouteOptions options) {
        return options.fingerprinter().orElse(null) instanceof FingerprintRules rules ? rules.headers() : List.of();
    }

    @Override
    public Fingerprint fingerprint(IncomingRequest request, List<byte[]> body) {
        List<byte[]> parts = new ArrayList<>();
        parts.add(bytes(request.method()));
        parts.add(bytes(request.path()));
        parts.add(bytes(query ? request.query() : ""));
        for (String name : headers) {
            List<String> lines = request.header(name);
            parts.add(bytes(name + "=" + lines.size()));
            lines.forEach(line -> parts.add(bytes(line)));
        }
        Optional<byte[]> canonical = canonicalJson && body.size() == 1 && json(request)
                ? CanonicalJson.of(body.get(0), leaveOut)
                : Optional.empty();
        parts.add(bytes(canonical.isPresent() ? "json" : "bytes"));
        canonical.ifPresentOrElse(parts::add, () -> parts.addAll(body));
        return Fingerprint.of(parts.toArray(byte[][]::new));
    }

    private static boolean json(IncomingRequest request) {
        return request.header("Content-Type").stream()
                .map(type -> type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .anyMatch(type -> type.equals("application/json") || type.endsWith("+json"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
