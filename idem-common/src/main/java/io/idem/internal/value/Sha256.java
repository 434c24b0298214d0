package io.idem.internal.value;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** Makes digests by SHA-256. */
public final class Sha256 {

    private static final int ID_BYTES = 16;

    private Sha256() {}

    /** Returns a new digest. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }

    /** Adds a part behind its length, so that {@code ("ab", "c")} and {@code ("a", "bc")} differ. */
    public static void update(MessageDigest digest, byte[] part) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
        digest.update(part);
    }

    /** Adds a text, as UTF-8, behind its length. */
    public static void update(MessageDigest digest, String part) {
        update(digest, part.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the first 128 bits of a digest as 22 characters of base64url. */
    public static String id(byte[] digest) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, ID_BYTES));
    }
}
