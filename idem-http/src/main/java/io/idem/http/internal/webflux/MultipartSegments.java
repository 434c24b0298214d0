package io.idem.http.internal.webflux;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;

/** A multipart body, divided at its boundaries. Its array must not be changed. */
final class MultipartSegments {

    private static final String END_OF_HEADERS = "\r\n\r\n";
    private static final String DISPOSITION = HttpHeaders.CONTENT_DISPOSITION + ":";

    private final byte[] body;
    private final int delimiterLength;
    private final List<Integer> delimiters;

    private MultipartSegments(byte[] body, int delimiterLength, List<Integer> delimiters) {
        this.body = body;
        this.delimiterLength = delimiterLength;
        this.delimiters = delimiters;
    }

    /**
     * Divides a body.
     *
     * @param boundary boundary as spelled in the content type, with or without quotes
     */
    static MultipartSegments of(byte[] body, String boundary) {
        byte[] delimiter = ("--" + unquoted(boundary)).getBytes(StandardCharsets.UTF_8);
        List<Integer> delimiters = new ArrayList<>();
        for (int at = 0; at + delimiter.length <= body.length; at++) {
            if (startsLine(body, at) && matches(body, at, delimiter)) {
                delimiters.add(at);
                at += delimiter.length - 1;
            }
        }
        return new MultipartSegments(body, delimiter.length, delimiters);
    }

    private static String unquoted(String boundary) {
        int last = boundary.length() - 1;
        return last > 0 && boundary.charAt(0) == '"' && boundary.charAt(last) == '"'
                ? boundary.substring(1, last)
                : boundary;
    }

    private static boolean startsLine(byte[] body, int at) {
        return at == 0 || body[at - 1] == '\n';
    }

    private static boolean matches(byte[] body, int at, byte[] delimiter) {
        return Arrays.equals(body, at, at + delimiter.length, delimiter, 0, delimiter.length);
    }

    /** Returns the number of parts of a well-formed body, in which the last delimiter begins no part. */
    int parts() {
        return delimiters.size() - 1;
    }

    /** Returns whether a part has no name, so that the body is no form. */
    boolean haveNameless() {
        return IntStream.range(1, delimiters.size())
                .mapToObj(part ->
                        Arrays.copyOfRange(body, delimiters.get(part - 1) + delimiterLength, delimiters.get(part)))
                .anyMatch(segment -> name(segment) == null);
    }

    /** Returns the body in slices that each begin with a delimiter, so that none has more than one part. */
    List<ByteBuffer> slices() {
        List<ByteBuffer> slices = new ArrayList<>();
        int start = 0;
        for (int delimiter : delimiters) {
            if (delimiter > start) {
                slices.add(ByteBuffer.wrap(body, start, delimiter - start));
            }
            start = delimiter;
        }
        slices.add(ByteBuffer.wrap(body, start, body.length - start));
        return slices;
    }

    /**
     * Returns the segments between the delimiters, for the fingerprint: a retry of the same body has other boundaries.
     *
     * @param uncounted name of a field that is not fingerprinted, if there is one
     */
    List<byte[]> counting(Optional<String> uncounted) {
        List<byte[]> segments = new ArrayList<>();
        int start = 0;
        for (int delimiter : delimiters) {
            segments.add(Arrays.copyOfRange(body, start, delimiter));
            start = delimiter + delimiterLength;
        }
        segments.add(Arrays.copyOfRange(body, start, body.length));
        uncounted.ifPresent(name -> segments.removeIf(segment -> name.equals(name(segment))));
        return segments;
    }

    /**
     * Returns the name of a part as Spring's parser reads it, so that a file name which looks like a field name is not mistaken for one.
     */
    private static @Nullable String name(byte[] segment) {
        String text = new String(segment, StandardCharsets.ISO_8859_1);
        int end = text.indexOf(END_OF_HEADERS);
        return end < 0
                ? null
                : text.substring(0, end)
                        .lines()
                        .filter(line -> line.regionMatches(true, 0, DISPOSITION, 0, DISPOSITION.length()))
                        .findFirst()
                        .map(line ->
                                parsed(line.substring(DISPOSITION.length())).getName())
                        .orElse(null);
    }

    private static ContentDisposition parsed(String value) {
        try {
            return ContentDisposition.parse(value.strip());
        } catch (IllegalArgumentException malformed) {
            return ContentDisposition.empty();
        }
    }
}
