package io.idem.consumer.internal.key;

import io.idem.InvalidKeyException;
import io.idem.consumer.DeliveredMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A message's body as JSON, for keys and fingerprints of its fields. Needs Jackson 3, which is optional: ask
 * {@link Jackson} first.
 */
record JsonBody(JsonNode root, String origin) {

    /** Does not show the body. */
    @Override
    public String toString() {
        return "body of " + origin;
    }

    /**
     * Reads a body.
     *
     * @throws InvalidKeyException if it is no JSON text
     */
    static JsonBody of(DeliveredMessage message) {
        try {
            return new JsonBody(Parser.JSON.readTree(text(message)), message.toString());
        } catch (JacksonException malformed) {
            throw new InvalidKeyException("The body of " + message + " is not JSON, so its fields cannot be read: "
                    + malformed.getOriginalMessage());
        } catch (NumberFormatException tooLarge) {
            throw new InvalidKeyException("The body of " + message
                    + " has a number whose exponent is too large, so its fields cannot be read");
        }
    }

    private static String text(DeliveredMessage message) {
        Object body = message.body();
        if (body instanceof byte[] bytes) {
            return HeaderText.decode("The body of " + message, bytes);
        }
        if (body instanceof CharSequence text) {
            return text.toString();
        }
        throw new InvalidKeyException("The body of " + message + " arrives as "
                + (body == null ? "nothing" : body.getClass().getName())
                + "; JSON pointers need bytes or text, use SpEL on the listener's arguments instead");
    }

    /**
     * Returns a text, number or boolean.
     *
     * @return null if there is none, or JSON null
     * @throws InvalidKeyException for an object or array
     */
    @Nullable Object at(Pointer pointer) {
        JsonNode node = root.at(pointer.compiled());
        if (node.isMissingNode() || node.isNull()) {
            return null;
        }
        if (node.isContainer()) {
            throw new InvalidKeyException(pointer.compiled() + " of " + origin
                    + " is an object or array; choose fields that are texts, numbers or booleans");
        }
        if (node.isNumber()) {
            return node.decimalValue();
        }
        return node.isBoolean()
                ? (Object) node.booleanValue()
                : HeaderText.undamaged(pointer.compiled() + " of " + origin, node.asString());
    }

    static Pointer pointer(String text) {
        return new Pointer(JsonPointer.compile(text));
    }

    /** A JSON pointer. */
    record Pointer(JsonPointer compiled) {}

    /** Parser that reads numbers as they are written: a double could make two keys one. */
    private static final class Parser {

        private static final JsonMapper JSON = JsonMapper.builder()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }
}
