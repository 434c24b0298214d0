package io.idem.result;

import static io.idem.internal.value.Arguments.require;

import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A key for stored results, with the name that is stored beside each encrypted result. Immutable; its text never
 * contains the key.
 */
public final class ResultKey {

    private static final int MAX_ID_LENGTH = 64;
    private static final int AES_256 = 32;

    private final String id;
    private final SecretKey key;

    private ResultKey(String id, SecretKey key) {
        this.id = id;
        this.key = key;
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
        boolean printable = id.chars().allMatch(c -> c > ' ' && c < 0x7f);
        require(
                !id.isEmpty() && id.length() <= MAX_ID_LENGTH && printable,
                "Key id \"" + id + "\" is not 1 to " + MAX_ID_LENGTH + " printable ASCII characters");
        return new ResultKey(id, key);
    }

    /** Returns the name of the key. */
    public String id() {
        return id;
    }

    public SecretKey key() {
        return key;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ResultKey that && id.equals(that.id) && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(new Object[] {id, key});
    }

    /** Returns the name only. */
    @Override
    public String toString() {
        return "key " + id;
    }
}
