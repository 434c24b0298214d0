package io.idem.consumer.internal.key;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.KeySource;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads the key's text of a delivery. Thread-safe. */
@FunctionalInterface
public interface KeyReader {

    /**
     * Returns a reader that evaluates a SpEL expression over message and arguments.
     *
     * @throws RuntimeException if it cannot be parsed, or names a parameter that the listener does not have
     */
    static KeyReader ofExpression(String text, Method listener) {
        return new ExpressionKeyReader(MessageExpression.of(text, listener));
    }

    /**
     * Returns a reader that digests fields of message and arguments.
     *
     * @throws IllegalArgumentException if one cannot be read, or two have one name
     */
    static KeyReader ofFields(String[] texts, UnaryOperator<String> placeholders, Method listener) {
        return new FieldsKeyReader(KeyField.parse(texts, placeholders, listener));
    }

    /** Returns a reader of the first source that the message has, in this order. */
    static KeyReader ofSources(List<KeySource> sources) {
        return new SourceKeyReader(sources);
    }

    /**
     * Reads the key.
     *
     * @return empty if the message has none
     * @throws io.idem.InvalidKeyException if a value cannot be a key
     */
    Optional<String> read(DeliveredMessage message, @Nullable Object[] arguments);

    /** Returns whether it needs the listener's arguments, which a batch does not have for each message. */
    default boolean readsArguments() {
        return false;
    }
}
