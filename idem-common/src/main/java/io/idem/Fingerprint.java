package io.idem;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Digest of a canonical payload: 128 bits that tell one key used for two payloads. Immutable. */
public final class Fingerprint {

    /** Size in bytes. */
    public static final int SIZE = 16;

    /** None given: matches every other fingerprint. */
    public static final Fingerprint NONE = new Fingerprint(new byte[SIZE]);

    private final byte[] bytes;

    private Fingerprint(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Digests the parts in their order. Each part is prefixed with its length, so {@code ("ab", "c")} and
     * {@code ("a", "bc")} differ.
     */
    public static Fingerprint of(byte[]... parts) {
        MessageDigest digest = Sha256.digest();
        for (byte[] part : parts) {
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
            digest.update(part);
        }
        return new Fingerprint(Arrays.copyOf(digest.digest(), SIZE));
    }

    /**
     * A fingerprint from its stored form.
     *
     * @throws IllegalArgumentException if there are not {@value #SIZE} bytes
     */
    public static Fingerprint ofBytes(byte[] bytes) {
        if (bytes.length != SIZE) {
            throw new IllegalArgumentException("A fingerprint has " + SIZE + " bytes, not " + bytes.length);
        }
        return new Fingerprint(bytes.clone());
    }

    /**
     * A fingerprint from the form it has in message headers.
     *
     * @throws IllegalArgumentException if the text is not 32 hexadecimal digits
     */
    public static Fingerprint parse(String hex) {
        return ofBytes(HexFormat.of().parseHex(hex));
    }

    /** Whether this is {@link #NONE}. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** Whether both may stand for the same payload: they are equal, or one of them was not given. */
    public boolean matches(Fingerprint other) {
        return isNone() || other.isNone() || equals(other);
    }

    /** A copy of the {@value #SIZE} bytes. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fingerprint that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** 32 hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
