package io.idem.consumer.internal.definition;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** Reads the text attributes of one {@link IdempotentListener}. */
record AttributeReader(Method method, UnaryOperator<String> values) {

    <T> T read(String name, String text, T otherwise, Function<String, T> parser) {
        return StringUtils.hasText(text) ? parse(name, text, parser) : otherwise;
    }

    <T> @Nullable T readIfSet(String name, String text, Function<String, T> parser) {
        return StringUtils.hasText(text) ? parse(name, text, parser) : null;
    }

    /**
     * Parses an attribute.
     *
     * @throws ListenerConfigurationException names the attribute
     */
    <T> T parse(String name, String text, Function<String, T> parser) {
        try {
            return parser.apply(values.apply(text));
        } catch (RuntimeException invalid) {
            throw invalid(name, invalid);
        }
    }

    ListenerConfigurationException invalid(String name, RuntimeException invalid) {
        return new ListenerConfigurationException(
                method,
                "has an invalid " + name + ": " + invalid.getMessage(),
                "Correct the attribute " + name,
                invalid);
    }

    static boolean flag(String text) {
        if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
            throw new IllegalArgumentException("\"" + text + "\" is neither true nor false");
        }
        return Boolean.parseBoolean(text);
    }

    static <E extends Enum<E>> E constant(Class<E> type, String text) {
        return Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
