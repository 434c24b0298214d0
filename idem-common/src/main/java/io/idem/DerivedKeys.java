package io.idem;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

/** Keys for messages that somebody publishes while working under another key: the same in every attempt. */
public final class DerivedKeys {

    private static final int BYTES = 16;

    private DerivedKeys() {}

    /**
     * 22 characters of base64url: the first 128 bits of SHA-256 over the length-prefixed parts. Deriving keeps two scopes that
     * publish to one consumer, and a listener that publishes to itself, from being taken for duplicates.
     *
     * <p>Derived from the key that the publishing work has itself, not from the origin key: two messages of one trace that
     * reach one scope would otherwise lead it to publish under one key, and the second would be dropped as a duplicate.
     *
     * @param parent the key of the work that publishes
     * @param scope who publishes
     * @param destination exchange and routing key, or topic
     * @param name what the caller calls this message, or its ordinal
     */
    public static String derive(String parent, Scope scope, String destination, String name) {
        MessageDigest digest = Sha256.digest();
        for (String part : new String[] {parent, scope.name(), destination, name}) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
            digest.update(bytes);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest.digest(), BYTES));
    }
}
