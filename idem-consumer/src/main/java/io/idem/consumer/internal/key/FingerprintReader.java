package io.idem.consumer.internal.key;

import io.idem.Fingerprint;
import io.idem.consumer.DeliveredMessage;
import java.lang.reflect.Method;
import java.util.function.UnaryOperator;

/** Finds the fingerprint of a message's payload, as its listener wants payloads compared. Thread-safe. */
@FunctionalInterface
public interface FingerprintReader {

    /** Takes what the producer wrote into the header. */
    static FingerprintReader ofHeader() {
        return OperationHeaders::fingerprint;
    }

    /** Digests the bytes of the body. */
    static FingerprintReader ofBody(Method listener) {
        return new BodyFingerprint(listener);
    }

    /**
     * Digests fields of a JSON body.
     *
     * @throws IllegalArgumentException if one is no JSON pointer
     */
    static FingerprintReader ofFields(String[] pointers, UnaryOperator<String> placeholders, Method listener) {
        return FieldsFingerprint.of(pointers, placeholders, listener);
    }

    /**
     * Looks for it.
     *
     * @return {@link Fingerprint#NONE} if the message has none
     * @throws io.idem.InvalidKeyException if there is something that cannot be a fingerprint, or of which none can be taken
     * @throws io.idem.consumer.ListenerConfigurationException if the body is no longer what was received
     */
    Fingerprint read(DeliveredMessage message);
}
