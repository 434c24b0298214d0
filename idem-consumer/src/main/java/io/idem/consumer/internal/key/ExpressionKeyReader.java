package io.idem.consumer.internal.key;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotentListener;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes the value of the SpEL of {@link IdempotentListener#key()} for the key. */
record ExpressionKeyReader(MessageExpression expression) implements KeyReader {

    @Override
    public Optional<String> read(DeliveredMessage message, @Nullable Object[] arguments) {
        Object value = expression.evaluate(message, arguments);
        return Optional.ofNullable(value).map(found -> HeaderText.text(this + " of " + message, found));
    }

    @Override
    public boolean readsArguments() {
        return expression.expression().readsArguments();
    }

    @Override
    public String toString() {
        return expression.expression().toString();
    }
}
