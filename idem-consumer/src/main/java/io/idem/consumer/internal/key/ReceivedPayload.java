package io.idem.consumer.internal.key;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.ListenerConfigurationException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Payload of a message as it was received. */
final class ReceivedPayload {

    private ReceivedPayload() {}

    /**
     * Returns the body.
     *
     * @return bytes or text; null if there is none
     * @throws ListenerConfigurationException if a deserializer has made an object of it, whose bytes are gone
     */
    static @Nullable Object of(DeliveredMessage message, Method listener) {
        Object body = message.body();
        if (body == null || body instanceof byte[] || body instanceof CharSequence) {
            return body;
        }
        throw new ListenerConfigurationException(
                listener,
                "compares payloads by their body, but gets it as "
                        + body.getClass().getName() + ", which a deserializer made of its bytes",
                "Let the consumer's value deserializer give bytes or text (ByteArrayDeserializer, StringDeserializer) and a"
                        + " JacksonJsonMessageConverter make the object, or remove fingerprint = BODY or fingerprintFields");
    }
}
