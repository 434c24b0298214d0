package io.idem;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A random value that names one attempt; every write after the acquire is checked against it. Made once per attempt,
 * outside the retry around the store, so that a repeated acquire is recognised. If an attempt's acquire was not
 * answered, the next attempt of the process uses the same token. Immutable.
 */
public final class OwnerToken {

    /** The size in bytes: 96 bits. */
    public static final int SIZE = 12;

    private final byte[] bytes;

    private OwnerToken(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns a new token from the given source. */
    public static OwnerToken random(SecureRandom random) {
        byte[] bytes = new byte[SIZE];
        random.nextBytes(bytes);
        return new OwnerToken(bytes);
    }

    /**
     * Returns the token with the given bytes.
     *
     * @throws IllegalArgumentException if there are not {@value #SIZE} bytes
     */
    public static OwnerToken ofBytes(byte[] bytes) {
        if (bytes.length != SIZE) {
            throw new IllegalArgumentException("An owner token has " + SIZE + " bytes, not " + bytes.length);
        }
        return new OwnerToken(bytes.clone());
    }

    /** Returns a copy of the {@value #SIZE} bytes. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OwnerToken that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
