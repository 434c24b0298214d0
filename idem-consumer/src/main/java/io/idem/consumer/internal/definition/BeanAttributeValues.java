package io.idem.consumer.internal.definition;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.Scope;
import org.springframework.core.env.PropertyResolver;

/**
 * Resolves attributes as Spring's listener annotations do: placeholders first, then <code>#{…}</code>, where
 * {@code __listener} is the listener's bean.
 *
 * @param properties for placeholders, all of which must be known
 * @param beans for expressions
 */
public record BeanAttributeValues(PropertyResolver properties, ConfigurableBeanFactory beans)
        implements AttributeValues {

    private static final String LISTENER = "__listener";

    @Override
    public String resolve(String text, @Nullable Object listener) {
        String resolved = properties.resolveRequiredPlaceholders(text);
        BeanExpressionResolver expressions = beans.getBeanExpressionResolver();
        if (expressions == null || !ListenerDefinitions.hasBeanExpression(resolved)) {
            return resolved;
        }
        Object value = expressions.evaluate(
                resolved, new BeanExpressionContext(beans, listener == null ? null : new ListenerScope(listener)));
        return Objects.requireNonNull(value, () -> "\"" + text + "\" is null").toString();
    }

    /** Scope that makes the listener known by its name; beans are neither made nor kept in it. */
    private record ListenerScope(Object listener) implements Scope {

        @Override
        public Object get(String name, ObjectFactory<?> factory) {
            return listener;
        }

        @Override
        public @Nullable Object resolveContextualObject(String key) {
            return key.equals(LISTENER) ? listener : null;
        }

        @Override
        public @Nullable Object remove(String name) {
            return null;
        }

        @Override
        public void registerDestructionCallback(String name, Runnable callback) {
            // The scope keeps no beans, so there is nothing to destroy.
        }

        @Override
        public @Nullable String getConversationId() {
            return null;
        }
    }
}
