package io.idem;

import io.idem.internal.value.Sha256;
import io.idem.internal.value.WellFormed;
import java.security.MessageDigest;

/**
 * Derives keys for messages that are published while working under another key. A derived key is the same in every
 * attempt. Thread-safe.
 */
public final class DerivedKeys {

    private DerivedKeys() {}

    /**
     * Returns the key of a published message: 22 characters of base64url, which are the first 128 bits of SHA-256 over
     * the length-prefixed arguments. Two scopes that publish to one consumer, and a listener that publishes to itself,
     * thus use different keys.
     *
     * <p>The parent is the key of the publishing work itself, not the origin key. With the origin key, two messages of
     * one trace that reach one scope would lead it to publish under one key, and the second message would be dropped as
     * a duplicate.
     *
     * @param parent the key of the work that publishes
     * @param scope the scope of the work that publishes
     * @param destination the exchange and routing key, or the topic
     * @param name the caller's name for the message, or its ordinal
     * @throws InvalidKeyException if the destination or the name is not well-formed Unicode
     */
    public static String derive(String parent, Scope scope, String destination, String name) {
        WellFormed.require("The destination of a message or call", destination, InvalidKeyException::new);
        WellFormed.require("The name of a message or call", name, InvalidKeyException::new);
        MessageDigest digest = Sha256.digest();
        for (String part : new String[] {parent, scope.name(), destination, name}) {
            Sha256.update(digest, part);
        }
        return Sha256.id(digest.digest());
    }
}
