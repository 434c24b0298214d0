package io.idem.consumer.internal.key;

import io.idem.consumer.DeliveredMessage;
import io.idem.internal.method.KeyExpression;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Key expression over a message and the listener's arguments. */
record MessageExpression(KeyExpression expression) {

    /**
     * Parses the expression of a listener.
     *
     * @throws RuntimeException if it cannot be parsed, or names a parameter that the listener does not have
     */
    static MessageExpression of(String text, Method listener) {
        return new MessageExpression(new KeyExpression(text, "key expression \"" + text + "\"", listener));
    }

    @Nullable Object evaluate(DeliveredMessage message, @Nullable Object[] arguments) {
        return expression.evaluate(
                arguments,
                Map.of("headers", new HeaderMap(message), "args", arguments, "message", message.source()),
                message);
    }
}
