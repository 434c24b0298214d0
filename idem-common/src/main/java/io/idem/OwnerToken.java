package io.idem;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Random value that names one delivery attempt; checked by every write after the acquire. Made once per attempt, outside
 * the retry around the store, so that a repeated acquire recognises itself; an attempt whose predecessor was not answered
 * goes on with that one's. Immutable.
 */
public final class OwnerToken {

    /** Size in bytes: 96 bits. */
    public static final int SIZE = 12;

    private final byte[] bytes;

    private OwnerToken(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A fresh token from the given source. */
    public static OwnerToken random(SecureRandom random) {
        byte[] bytes = new byte[SIZE];
        random.nextBytes(bytes);
        return new OwnerToken(bytes);
    }

    /**
     * A token from its stored form.
     *
     * @throws IllegalArgumentException if there are not {@value #SIZE} bytes
     */
    public static OwnerToken ofBytes(byte[] bytes) {
        if (bytes.length != SIZE) {
            throw new IllegalArgumentException("An owner token has " + SIZE + " bytes, not " + bytes.length);
        }
        return new OwnerToken(bytes.clone());
    }

    /** A copy of the {@value #SIZE} bytes. */
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
