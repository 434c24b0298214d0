package io.idem.consumer.internal.key;

import io.idem.Fingerprint;
import io.idem.consumer.DeliveredMessage;
import java.lang.reflect.Method;
import java.util.function.UnaryOperator;

/** Reads the fingerprint of a message's payload, as its listener wants payloads compared. Thread-safe. */
@FunctionalInterface
public interface FingerprintReader {

    /** Returns a reader of the header that the producer wrote. */
    static FingerprintReader ofHeader() {
        return OperationHeaders::fingerprint;
    }

    /** Returns a reader that digests the bytes of the body. */
    static FingerprintReader ofBody(Method listener) {
        return new BodyFingerprint(listener);
    }

    /**
     * Returns a reader that digests fields of a JSON body.
     *
     * @throws IllegalArgumentException if one is no JSON pointer
     */
    static FingerprintReader ofFields(String[] pointers, UnaryOperator<String> placeholders, Method listener) {
        return FieldsFingerprint.of(pointers, placeholders, listener);
    }

    /**
     * Reads the fingerprint.
     *
     * @return {@link Fingerprint#NONE} if the message has none
     * @throws io.idem.InvalidKeyException if a value cannot be a fingerprint, or the body cannot be digested
     * @throws io.idem.consumer.ListenerConfigurationException if the received bytes of the body are gone
     */
    Fingerprint read(DeliveredMessage message);
}
