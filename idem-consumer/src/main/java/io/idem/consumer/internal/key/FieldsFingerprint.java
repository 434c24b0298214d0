package io.idem.consumer.internal.key;

import io.idem.Fingerprint;
import io.idem.IdempotencyKeys;
import io.idem.InvalidKeyException;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotentListener;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Digests the fields of {@link IdempotentListener#fingerprintFields()}. The pointers are part of the digest, their
 * order is not.
 */
record FieldsFingerprint(Map<String, JsonBody.Pointer> fields, Method listener) implements FingerprintReader {

    /** JSON pointers of RFC 6901, without the empty one that means the whole body. */
    private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*)+");

    static FieldsFingerprint of(String[] pointers, UnaryOperator<String> placeholders, Method listener) {
        Map<String, JsonBody.Pointer> fields = new LinkedHashMap<>();
        for (String pointer : pointers) {
            String text = placeholders.apply(pointer);
            if (!POINTER.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        "\"" + text + "\" is no JSON pointer to a field, as in /order/amount");
            }
            Jackson.require("the fingerprint field " + text);
            fields.put(text, JsonBody.pointer(text));
        }
        return new FieldsFingerprint(fields, listener);
    }

    @Override
    public Fingerprint read(DeliveredMessage message) {
        if (ReceivedPayload.of(message, listener) == null) {
            return Fingerprint.of();
        }
        Map<String, Object> found = found(JsonBody.of(message));
        try {
            return found.isEmpty()
                    ? Fingerprint.of()
                    : Fingerprint.of(IdempotencyKeys.ofFields(found).getBytes(StandardCharsets.UTF_8));
        } catch (InvalidKeyException unfit) {
            throw new InvalidKeyException(message + " has no usable fingerprint: " + unfit.getMessage());
        }
    }

    private Map<String, Object> found(JsonBody body) {
        Map<String, Object> found = new HashMap<>();
        fields.forEach((name, pointer) -> {
            Object value = body.at(pointer);
            if (value != null) {
                found.put(name, value);
            }
        });
        return found;
    }
}
