package io.idem.consumer.internal.definition;

import io.idem.consumer.IdempotentListener;
import org.jspecify.annotations.Nullable;

/** Resolves placeholders and bean expressions in the text attributes of {@link IdempotentListener}s. Thread-safe. */
@FunctionalInterface
public interface AttributeValues {

    /**
     * Resolves the value of an attribute.
     *
     * @param listener the bean that bean expressions see as {@code __listener}; null if it is not made yet
     * @throws RuntimeException if something in the text is unknown
     */
    String resolve(String text, @Nullable Object listener);
}
