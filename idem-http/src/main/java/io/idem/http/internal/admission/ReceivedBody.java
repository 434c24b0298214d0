package io.idem.http.internal.admission;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A request's body as it was received. Its arrays are not to be changed. */
public final class ReceivedBody {

    /** Stands for a name without a value, as some filters read it; no text is encoded so. */
    private static final byte[] NO_VALUE = {(byte) 0xff};

    private final byte[] bytes;
    private final List<byte[]> fingerprinted;

    private ReceivedBody(byte[] bytes, List<byte[]> fingerprinted) {
        this.bytes = bytes;
        this.fingerprinted = List.copyOf(fingerprinted);
    }

    /** A body that stands for itself in the fingerprint. */
    public static ReceivedBody of(byte[] bytes) {
        return new ReceivedBody(bytes, List.of(bytes));
    }

    /** A body with something else for the fingerprint. */
    public static ReceivedBody of(byte[] bytes, List<byte[]> fingerprinted) {
        return new ReceivedBody(bytes, fingerprinted);
    }

    /** A body that was taken apart by somebody else, with what stands for it in the fingerprint. */
    public static ReceivedBody takenApart(List<byte[]> fingerprinted) {
        return new ReceivedBody(new byte[0], fingerprinted);
    }

    /** A form that was taken apart by somebody else: the order of its names does not count, that of a name's values does. */
    public static ReceivedBody ofForm(Map<String, List<String>> form) {
        List<byte[]> parts = new ArrayList<>();
        new TreeMap<>(form).forEach((name, values) -> {
            parts.add(bytes(name + "=" + values.size()));
            for (String value : values) {
                parts.add(value == null ? NO_VALUE : bytes(value));
            }
        });
        return takenApart(parts);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The bytes; empty if somebody else took the body apart. */
    public byte[] bytes() {
        return bytes;
    }

    /** What stands for it in the fingerprint. */
    public List<byte[]> fingerprinted() {
        return fingerprinted;
    }
}
