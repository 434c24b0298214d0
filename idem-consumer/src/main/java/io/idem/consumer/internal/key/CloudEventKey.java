package io.idem.consumer.internal.key;

import io.idem.IdempotencyKeys;
import io.idem.InvalidKeyException;
import io.idem.consumer.DeliveredMessage;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the key from {@code source} and {@code id} of a CloudEvent 1.0. In binary mode they are headers, {@code ce_} on
 * Kafka, {@code cloudEvents:} or {@code cloudEvents_} on AMQP, {@code ce-} on bridges from HTTP; in structured mode
 * they are members of the JSON body.
 */
public final class CloudEventKey {

    private static final List<String> PREFIXES = List.of("ce_", "ce-", "cloudEvents:", "cloudEvents_");
    private static final String MEDIA_TYPE = "application/cloudevents";

    private CloudEventKey() {}

    /**
     * Reads the key.
     *
     * @return empty if the message is not a CloudEvent
     * @throws InvalidKeyException if the event cannot be told from others: a part is missing, it is a batch, or not
     *     JSON
     */
    static Optional<String> read(DeliveredMessage message) {
        String type = mediaType(message);
        return type.startsWith(MEDIA_TYPE) ? Optional.of(structured(message, type)) : binary(message);
    }

    /** Returns the key of an event whose attributes are in the headers; empty if there is none, or it has no usable key. */
    public static Optional<String> ofHeaders(DeliveredMessage message) {
        try {
            return binary(message);
        } catch (InvalidKeyException unusable) {
            return Optional.empty();
        }
    }

    /** Returns whether a header has the id of an event. */
    public static boolean isId(String header) {
        return PREFIXES.stream().anyMatch(prefix -> header.equalsIgnoreCase(prefix + "id"));
    }

    private static Optional<String> binary(DeliveredMessage message) {
        return PREFIXES.stream()
                .flatMap(prefix -> binary(prefix, message).stream())
                .findFirst();
    }

    private static String mediaType(DeliveredMessage message) {
        Object type = message.contentType();
        String text = type == null ? "" : HeaderText.text("The content type of " + message, type);
        return text.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static Optional<String> binary(String prefix, DeliveredMessage message) {
        Optional<String> id = HeaderText.read(message, prefix + "id");
        Optional<String> source = HeaderText.read(message, prefix + "source");
        return id.isEmpty() && source.isEmpty()
                ? Optional.empty()
                : Optional.of(key(message, source.orElse(null), id.orElse(null)));
    }

    private static String structured(DeliveredMessage message, String type) {
        if (!type.equals(MEDIA_TYPE + "+json")) {
            throw new InvalidKeyException(message + " is of type " + type
                    + ", which holds more than one event or is not JSON; publish events one by one as application/cloudevents+json"
                    + " or in binary mode");
        }
        try {
            Jackson.require(type);
        } catch (IllegalArgumentException missing) {
            throw new InvalidKeyException("The key of " + message + " cannot be read: " + missing.getMessage());
        }
        JsonBody body = JsonBody.of(message);
        return key(message, body.at(JsonBody.pointer("/source")), body.at(JsonBody.pointer("/id")));
    }

    private static String key(DeliveredMessage message, @Nullable Object source, @Nullable Object id) {
        try {
            return IdempotencyKeys.ofCloudEvent(text(source), text(id));
        } catch (InvalidKeyException missing) {
            throw new InvalidKeyException(message + " has no usable key: " + missing.getMessage());
        }
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
