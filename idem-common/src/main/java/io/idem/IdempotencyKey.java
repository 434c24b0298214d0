package io.idem;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Identifies one intended operation of one tenant. The tenant is part of the identity: equal values of two tenants are
 * two keys.
 *
 * <p>Values are compared as they are, without trimming or case folding. Immutable.
 */
public final class IdempotencyKey {

    /** The tenant of an application that has only one. */
    public static final String DEFAULT_TENANT = "default";

    /** Longest value and longest tenant, in UTF-16 code units. Edges may be stricter. */
    public static final int MAX_LENGTH = 1024;

    private static final int ID_BYTES = 16;

    private final String tenant;
    private final String value;

    /** Digested when first asked for: every write names the record by it, and so does every line of a log. */
    private @Nullable String id;

    /**
     * Checks both parts.
     *
     * @param tenant whose key it is, never taken on the client's word alone; {@value #DEFAULT_TENANT} where an application has
     *     only one
     * @param value 1 to {@value #MAX_LENGTH} characters, none of them a control character and at least one of them no blank
     * @throws InvalidKeyException if a part is empty, consists of blanks, is too long, has a control character or is not well-formed Unicode
     */
    public IdempotencyKey(String tenant, String value) {
        check("tenant", tenant);
        check("key", value);
        this.tenant = tenant;
        this.value = value;
    }

    /** A key of {@link #DEFAULT_TENANT}. */
    public static IdempotencyKey of(String value) {
        return new IdempotencyKey(DEFAULT_TENANT, value);
    }

    /** Whose key it is. */
    public String tenant() {
        return tenant;
    }

    /** The key as the client chose it. */
    public String value() {
        return value;
    }

    /**
     * The fixed-size name under which stores file this key: 22 characters of base64url, the first 128 bits of
     * {@code SHA-256(length of tenant ‖ tenant ‖ key)}. Clients cannot choose a cluster slot or inject anything through it.
     */
    public String id() {
        String known = id;
        if (known == null) {
            known = digested();
            id = known;
        }
        return known;
    }

    private String digested() {
        byte[] tenantBytes = tenant.getBytes(StandardCharsets.UTF_8);
        MessageDigest digest = Sha256.digest();
        digest.update(
                ByteBuffer.allocate(Integer.BYTES).putInt(tenantBytes.length).flip());
        digest.update(tenantBytes);
        digest.update(value.getBytes(StandardCharsets.UTF_8));
        byte[] first128Bits = Arrays.copyOf(digest.digest(), ID_BYTES);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(first128Bits);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IdempotencyKey that && value.equals(that.value) && tenant.equals(that.tenant);
    }

    @Override
    public int hashCode() {
        return 31 * tenant.hashCode() + value.hashCode();
    }

    @Override
    public String toString() {
        return "IdempotencyKey[tenant=" + tenant + ", value=" + value + "]";
    }

    private static void check(String part, String text) {
        if (text.isEmpty()) {
            throw new InvalidKeyException(
                    "The idempotency " + part + " is empty; send 1 to " + MAX_LENGTH + " characters");
        }
        if (text.isBlank()) {
            throw new InvalidKeyException(
                    "The idempotency " + part + " consists of blanks; send a text that can be seen");
        }
        if (text.length() > MAX_LENGTH) {
            throw new InvalidKeyException("The idempotency " + part + " has " + text.length() + " characters; at most "
                    + MAX_LENGTH + " are allowed");
        }
        if (hasControl(text)) {
            throw new InvalidKeyException("The idempotency " + part + " contains a control character; remove it");
        }
        if (hasHalfPair(text)) {
            throw new InvalidKeyException(
                    "The idempotency " + part + " has half a surrogate pair; send well-formed Unicode");
        }
    }

    /** By hand, as below: every key is checked, and a stream or an encoder costs more than the rest of its making. */
    private static boolean hasControl(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasHalfPair(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && !isPair(text, i++)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isPair(String text, int at) {
        return at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
    }
}
