package io.idem.http.internal.admission;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The body of a request as it was received. Its arrays must not be changed. */
public final class ReceivedBody {

    /** The attribute of a servlet request that has the length in bytes of the body that was received for it. */
    public static final String LENGTH = ReceivedBody.class.getName() + ".length";

    /** Marks a name without a value, as some filters read it; no UTF-8 text has this byte. */
    private static final byte[] NO_VALUE = {(byte) 0xff};

    private final byte[] bytes;
    private final List<byte[]> fingerprinted;

    private ReceivedBody(byte[] bytes, List<byte[]> fingerprinted) {
        this.bytes = bytes;
        this.fingerprinted = List.copyOf(fingerprinted);
    }

    /** Creates a body whose bytes are fingerprinted. */
    public static ReceivedBody of(byte[] bytes) {
        return new ReceivedBody(bytes, List.of(bytes));
    }

    /** Creates a body of which other bytes are fingerprinted. */
    public static ReceivedBody of(byte[] bytes, List<byte[]> fingerprinted) {
        return new ReceivedBody(bytes, fingerprinted);
    }

    /** Creates a body that the server or another filter has parsed, from the parts that are fingerprinted. */
    public static ReceivedBody takenApart(List<byte[]> fingerprinted) {
        return new ReceivedBody(new byte[0], fingerprinted);
    }

    /** Creates the body of a form that another filter has parsed. The order of names does not count, that of a name's values does. */
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

    /** Returns the bytes; empty if the server or another filter has parsed the body. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the parts that are fingerprinted. */
    public List<byte[]> fingerprinted() {
        return fingerprinted;
    }
}
