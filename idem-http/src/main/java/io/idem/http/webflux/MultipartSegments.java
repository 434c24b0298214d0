package io.idem.http.webflux;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A multipart body cut at its boundaries, for the fingerprint: the boundary is the only thing that differs from one sending to the next. */
final class MultipartSegments {

    private MultipartSegments() {}

    static List<byte[]> of(byte[] body, String boundary) {
        byte[] delimiter = ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        List<byte[]> segments = new ArrayList<>();
        int start = 0;
        for (int at = 0; at + delimiter.length <= body.length; at++) {
            if (startsLine(body, at) && matches(body, at, delimiter)) {
                segments.add(Arrays.copyOfRange(body, start, at));
                start = at + delimiter.length;
                at = start - 1;
            }
        }
        segments.add(Arrays.copyOfRange(body, start, body.length));
        return segments;
    }

    private static boolean startsLine(byte[] body, int at) {
        return at == 0 || body[at - 1] == '\n';
    }

    private static boolean matches(byte[] body, int at, byte[] delimiter) {
        return Arrays.equals(body, at, at + delimiter.length, delimiter, 0, delimiter.length);
    }
}
