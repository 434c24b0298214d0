package io.idem;

import io.idem.internal.value.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A digest of 128 bits over a canonical payload. Tells one key used for two payloads. Immutable. */
public final class Fingerprint {

    /** The size in bytes. */
    public static final int SIZE = 16;

    /** The absent fingerprint, which matches every other one. */
    public static final Fingerprint NONE = new Fingerprint(new byte[SIZE], null);

    private final byte[] bytes;
    private final @Nullable Fingerprint former;

    private Fingerprint(byte[] bytes, @Nullable Fingerprint former) {
        this.bytes = bytes;
        this.former = former;
    }

    /**
     * Returns the digest of the parts, in their order. Each part is prefixed with its length, so {@code ("ab", "c")}
     * and {@code ("a", "bc")} differ.
     */
    public static Fingerprint of(byte[]... parts) {
        MessageDigest digest = Sha256.digest();
        for (byte[] part : parts) {
            Sha256.update(digest, part);
        }
        return new Fingerprint(Arrays.copyOf(digest.digest(), SIZE), null);
    }

    /**
     * Returns the fingerprint with the given bytes.
     *
     * @throws IllegalArgumentException if there are not {@value #SIZE} bytes
     */
    public static Fingerprint ofBytes(byte[] bytes) {
        if (bytes.length != SIZE) {
            throw new IllegalArgumentException("A fingerprint has " + SIZE + " bytes, not " + bytes.length);
        }
        return new Fingerprint(bytes.clone(), null);
    }

    /**
     * Returns the fingerprint with the given hexadecimal digits, as message headers carry it.
     *
     * @throws IllegalArgumentException if the text is not 32 hexadecimal digits
     */
    public static Fingerprint parse(String hex) {
        return ofBytes(HexFormat.of().parseHex(hex));
    }

    /**
     * Returns a copy of the fingerprint of a payload to which earlier versions gave another one. A record with that one is of the same
     * payload, as long as instances of both versions may work side by side. Copies are equal.
     */
    public Fingerprint formerly(Fingerprint given) {
        return equals(given) ? this : new Fingerprint(bytes, given);
    }

    /** Returns the fingerprint that earlier versions gave the payload; itself unless they gave another one. */
    public Fingerprint former() {
        return former == null ? this : former;
    }

    /** Returns whether this is {@link #NONE}. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** Returns whether both may stand for the same payload: they are equal, or one of them is {@link #NONE}. */
    public boolean matches(Fingerprint other) {
        return isNone() || other.isNone() || equals(other);
    }

    /** Returns a copy of the {@value #SIZE} bytes. */
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

    /** Returns 32 hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
