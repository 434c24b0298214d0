package io.idem.http;

import java.util.List;

/** A request's body as it was received. Its arrays are not to be changed. */
public final class ReceivedBody {

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

    /** The bytes; empty if somebody else took the body apart. */
    public byte[] bytes() {
        return bytes;
    }

    /** What stands for it in the fingerprint. */
    public List<byte[]> fingerprinted() {
        return fingerprinted;
    }
}
