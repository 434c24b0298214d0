package io.idem.result;

import static io.idem.internal.value.Arguments.require;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key for AES-256 for stored results, with the name that is stored beside each encrypted result. Immutable; its text
 * never contains the key.
 *
 * @param id the name, 1 to 64 printable ASCII characters; different keys need different names
 * @param key the key, which may be kept in a hardware module
 */
public record ResultKey(String id, SecretKey key) {

    private static final int MAX_ID_LENGTH = 64;
    private static final int AES_256 = 32;

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it is empty, too long or not printable
     */
    public ResultKey {
        boolean printable = id.chars().allMatch(c -> c > ' ' && c < 0x7f);
        require(
                !id.isEmpty() && id.length() <= MAX_ID_LENGTH && printable,
                "Key id \"" + id + "\" is not 1 to " + MAX_ID_LENGTH + " printable ASCII characters");
    }

    /**
     * Returns a key for AES-256.
     *
     * @param id the name, 1 to 64 printable ASCII characters; different keys need different names
     * @param key 32 bytes, copied
     */
    public static ResultKey of(String id, byte[] key) {
        require(key.length == AES_256, "Key \"" + id + "\" has " + key.length + " bytes, not " + AES_256);
        return of(id, new SecretKeySpec(key, "AES"));
    }

    /** Returns a key for AES-256 that may be kept in a hardware module. */
    public static ResultKey of(String id, SecretKey key) {
        return new ResultKey(id, key);
    }

    /** Returns a text without the key. */
    @Override
    public String toString() {
        return "key " + id;
    }
}
