package io.idem;

import io.idem.internal.value.Sha256;
import java.security.MessageDigest;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes deterministic values of keys. The same input gives the same value on every machine and in every version of
 * idem. Thread-safe.
 */
public final class IdempotencyKeys {

    private static final String DOMAIN = "idem.fields.1";

    private IdempotencyKeys() {}

    /**
     * Returns the digest of the fields: 22 characters of base64url, which are the first 128 bits of SHA-256 over the
     * fields, sorted by name, each as length-prefixed name and canonical value. Names and lengths keep
     * {@code ("ab", "c")} and {@code ("a", "bc")} apart.
     *
     * <p>Values are texts (also characters, enums, UUIDs and dates, by their standard text), numbers and booleans.
     * Equal numbers have one text: {@code 1}, {@code 1L} and {@code 1.00} agree, but the number {@code 1} and the text
     * {@code "1"} do not.
     *
     * @throws InvalidKeyException if there is no field, or a value is null or of another type
     */
    public static String ofFields(Map<String, ? extends @Nullable Object> fields) {
        if (fields.isEmpty()) {
            throw new InvalidKeyException("A key of no fields would be the same for everything; name at least one");
        }
        MessageDigest digest = Sha256.digest();
        Sha256.update(digest, DOMAIN);
        new TreeMap<>(fields).forEach((name, value) -> {
            Sha256.update(digest, name);
            Sha256.update(digest, CanonicalValue.of(name, value));
        });
        return Sha256.id(digest.digest());
    }

    /**
     * Returns the key of a CloudEvent, which its {@code source} and {@code id} together identify, as
     * {@code <length of source>:<source><id>}.
     *
     * @throws InvalidKeyException if one of them is empty
     */
    public static String ofCloudEvent(String source, String id) {
        if (source.isEmpty() || id.isEmpty()) {
            throw new InvalidKeyException("A CloudEvent without " + (id.isEmpty() ? "id" : "source")
                    + " cannot be told from others; set both source and id");
        }
        return source.length() + ":" + source + id;
    }
}
