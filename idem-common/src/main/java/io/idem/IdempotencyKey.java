package io.idem;

import io.idem.internal.value.Sha256;
import io.idem.internal.value.WellFormed;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The identity of one intended operation of one tenant. The tenant is part of it: equal values of two tenants are two
 * keys.
 *
 * <p>Values are compared as they are, without trimming or case folding. Immutable.
 */
public final class IdempotencyKey {

    /** The tenant of an application that has only one. */
    public static final String DEFAULT_TENANT = "default";

    /** The longest value and the longest tenant, in UTF-16 code units. HTTP and message adapters may be stricter. */
    public static final int MAX_LENGTH = 1024;

    private final String tenant;
    private final String value;
    private final @Nullable IdempotencyKey former;
    private final boolean continued;

    /** Computed on first use and then kept: every write and every log line names the record by it. */
    private @Nullable String id;

    /**
     * Creates a key and checks both parts.
     *
     * @param tenant the tenant, never taken from the client unchecked; {@value #DEFAULT_TENANT} where an application
     *     has only one
     * @param value 1 to {@value #MAX_LENGTH} characters without control characters, at least one of them not blank
     * @throws InvalidKeyException if a part is empty, blank or too long, has a control character or is not well-formed
     *     Unicode
     */
    public IdempotencyKey(String tenant, String value) {
        this(tenant, value, null, false);
    }

    private IdempotencyKey(String tenant, String value, @Nullable IdempotencyKey former, boolean continued) {
        check("The idempotency tenant", tenant);
        check("The idempotency key", value);
        this.tenant = tenant;
        this.value = value;
        this.former = former;
        this.continued = continued;
    }

    /** Returns the key of {@link #DEFAULT_TENANT} with this value. */
    public static IdempotencyKey of(String value) {
        return new IdempotencyKey(DEFAULT_TENANT, value);
    }

    /**
     * Returns a copy of a key that earlier versions read as another one. Records under that one count too, and are kept, as
     * long as instances of both versions may work side by side. Copies are equal.
     */
    public IdempotencyKey formerly(IdempotencyKey read) {
        return equals(read) ? this : new IdempotencyKey(tenant, value, read, false);
    }

    /** Returns the key as earlier versions read it; itself unless they read another one. */
    public IdempotencyKey former() {
        return former == null ? this : former;
    }

    /** Returns a copy of the key of work that an earlier version has begun under its {@link #former()} form. Copies are equal. */
    public IdempotencyKey continued() {
        return new IdempotencyKey(tenant, value, former, true);
    }

    /**
     * Returns the key from which the keys of steps, calls and published messages derive: itself, so that all spellings of a
     * key have the same ones; its {@link #former()} form if work is {@linkplain #continued continued}.
     */
    public IdempotencyKey parent() {
        return continued ? former() : this;
    }

    /** Returns the tenant whose key this is. */
    public String tenant() {
        return tenant;
    }

    /** Returns the value as the client chose it. */
    public String value() {
        return value;
    }

    /**
     * Returns the fixed-size name under which stores file this key: 22 characters of base64url, which are the first 128
     * bits of {@code SHA-256(length of tenant ‖ tenant ‖ key)}. A digest keeps clients from choosing a cluster slot or
     * injecting text.
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
        MessageDigest digest = Sha256.digest();
        Sha256.update(digest, tenant);
        digest.update(value.getBytes(StandardCharsets.UTF_8));
        return Sha256.id(digest.digest());
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
            throw new InvalidKeyException(part + " is empty; send 1 to " + MAX_LENGTH + " characters");
        }
        if (text.isBlank()) {
            throw new InvalidKeyException(part + " consists of blanks; send a text that can be seen");
        }
        if (text.length() > MAX_LENGTH) {
            throw new InvalidKeyException(
                    part + " has " + text.length() + " characters; at most " + MAX_LENGTH + " are allowed");
        }
        if (hasControl(text)) {
            throw new InvalidKeyException(part + " contains a control character; remove it");
        }
        WellFormed.require(part, text, InvalidKeyException::new);
    }

    /** Loops over the characters: every key is checked, and a stream would cost more than the rest of the constructor. */
    private static boolean hasControl(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
