package io.idem.consumer.internal.key;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.KeySource;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInvocation;

/** Finds the key's text of a delivery. Thread-safe. */
@FunctionalInterface
public interface KeyReader {

    /**
     * Evaluates a SpEL expression over message and arguments.
     *
     * @throws RuntimeException if it cannot be parsed, or names a parameter that the listener does not have
     */
    static KeyReader ofExpression(String text, Method listener) {
        return new ExpressionKeyReader(new MessageExpression(text, listener));
    }

    /**
     * Puts fields of message and arguments together.
     *
     * @throws IllegalArgumentException if one cannot be read, or two have one name
     */
    static KeyReader ofFields(String[] texts, UnaryOperator<String> placeholders, Method listener) {
        return new FieldsKeyReader(KeyField.parse(texts, placeholders, listener));
    }

    /** Takes the first that the message has, in this order. */
    static KeyReader ofSources(List<KeySource> sources) {
        return new SourceKeyReader(sources);
    }

    /**
     * Looks for it.
     *
     * @return empty if the message has none
     * @throws io.idem.InvalidKeyException if there is something that cannot be a key
     */
    Optional<String> read(DeliveredMessage message, MethodInvocation invocation);

    /** Whether it looks at the listener's arguments, which a batch has not for each message. */
    default boolean readsArguments() {
        return false;
    }
}
