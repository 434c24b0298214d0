package io.idem.consumer.internal.key;

import io.idem.consumer.DeliveredMessage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** A message while its key fields are read: its body is parsed once at most. Not thread-safe. */
final class FieldValues {

    private final DeliveredMessage message;
    private final MethodInvocation invocation;
    private @Nullable JsonBody body;

    FieldValues(DeliveredMessage message, MethodInvocation invocation) {
        this.message = message;
        this.invocation = invocation;
    }

    JsonBody body() {
        JsonBody parsed = body;
        if (parsed == null) {
            parsed = JsonBody.of(message);
            body = parsed;
        }
        return parsed;
    }

    @Nullable Object evaluate(MessageExpression expression) {
        return expression.evaluate(message, invocation);
    }
}
