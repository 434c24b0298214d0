package io.idem.consumer.internal.key;

import io.idem.Fingerprint;
import io.idem.consumer.DeliveredMessage;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Digests the bytes of the body. An absent body and an empty one are two payloads. */
record BodyFingerprint(Method listener) implements FingerprintReader {

    @Override
    public Fingerprint read(DeliveredMessage message) {
        @Nullable Object body = ReceivedPayload.of(message, listener);
        if (body == null) {
            return Fingerprint.of();
        }
        return Fingerprint.of(
                body instanceof byte[] bytes ? bytes : body.toString().getBytes(StandardCharsets.UTF_8));
    }
}
