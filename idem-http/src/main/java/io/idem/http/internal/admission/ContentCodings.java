package io.idem.http.internal.admission;

import io.idem.http.Header;
import io.idem.http.IncomingRequest;
import io.idem.http.StoredResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.springframework.http.HttpHeaders;

/** Decodes a stored answer for a retry that does not accept the content coding in which the first answer was sent. Pure functions. */
final class ContentCodings {

    /** Headers about the body as it was coded. */
    private static final Set<String> OF_CODED_BODY =
            Set.of("content-encoding", "content-length", "content-digest", "repr-digest", "digest", "content-md5");

    private ContentCodings() {}

    /**
     * Returns an answer that the request accepts: as stored, decoded, or without its body if that cannot be decoded.
     *
     * @param limit largest decoded body, in bytes
     */
    static StoredResponse accepted(StoredResponse stored, IncomingRequest request, int limit) {
        List<String> codings = tokens(stored.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase(HttpHeaders.CONTENT_ENCODING))
                .map(Header::value));
        List<String> accepted = tokens(request.header(HttpHeaders.ACCEPT_ENCODING).stream());
        if (stored.body().length == 0 || codings.stream().allMatch(coding -> accepts(accepted, coding))) {
            return stored;
        }
        List<Header> headers = stored.headers().stream()
                .filter(header -> !OF_CODED_BODY.contains(header.name().toLowerCase(Locale.ROOT)))
                .map(ContentCodings::weak)
                .toList();
        try {
            byte[] body = stored.body();
            for (int i = codings.size() - 1; i >= 0; i--) {
                body = decoded(body, codings.get(i), limit);
            }
            return StoredResponse.of(stored.status(), headers, body);
        } catch (IOException undecodable) {
            return StoredResponse.withoutBody(stored.status(), headers);
        }
    }

    /** Returns the codings that lines of a header name, with their parameters, but for {@code identity}. */
    static List<String> tokens(Stream<String> lines) {
        return lines.flatMap(line -> Stream.of(line.split(",")))
                .map(token ->
                        token.replaceAll("\\s", "").toLowerCase(Locale.ROOT).replace("x-gzip", "gzip"))
                .filter(token -> !token.isEmpty() && !token.equals("identity"))
                .toList();
    }

    private static boolean accepts(List<String> accepted, String coding) {
        return Stream.of(coding, "*")
                .flatMap(name -> accepted.stream().filter(token -> (token + ";").startsWith(name + ";")))
                .findFirst()
                .filter(token -> !token.matches(".*;q=0(\\.0*)?"))
                .isPresent();
    }

    /** A strong entity tag names the bytes as they were sent. */
    private static Header weak(Header header) {
        return header.name().equalsIgnoreCase(HttpHeaders.ETAG)
                        && header.value().startsWith("\"")
                ? new Header(header.name(), "W/" + header.value())
                : header;
    }

    private static byte[] decoded(byte[] body, String coding, int limit) throws IOException {
        return switch (coding) {
            case "gzip" -> read(new GZIPInputStream(new ByteArrayInputStream(body)), limit);
            case "deflate" -> inflated(body, limit);
            default -> throw new IOException("content coding " + coding);
        };
    }

    /** Reads a body in the zlib format, or in the bare one that some servers send under the same name. */
    private static byte[] inflated(byte[] body, int limit) throws IOException {
        boolean zlib =
                body.length > 1 && (body[0] & 0x0f) == 8 && (((body[0] & 0xff) << 8) | (body[1] & 0xff)) % 31 == 0;
        Inflater inflater = new Inflater(!zlib);
        try {
            return read(new InflaterInputStream(new ByteArrayInputStream(body), inflater), limit);
        } finally {
            inflater.end();
        }
    }

    private static byte[] read(InputStream in, int limit) throws IOException {
        byte[] read = in.readNBytes(limit);
        if (in.read() >= 0) {
            throw new IOException("larger than " + limit + " bytes");
        }
        return read;
    }
}
