package io.idem.internal.method;

import static io.idem.internal.value.Arguments.require;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * Reads the text attributes of the annotation of one method.
 *
 * @param values resolves placeholders and bean expressions
 */
public record AttributeReader(UnaryOperator<String> values, StartRefusal refusal) {

    public <T> T read(String name, String text, T otherwise, Function<String, T> parser) {
        return StringUtils.hasText(text) ? parse(name, text, parser) : otherwise;
    }

    public <T> @Nullable T readIfSet(String name, String text, Function<String, T> parser) {
        return StringUtils.hasText(text) ? parse(name, text, parser) : null;
    }

    /** Parses an attribute. A failure is refused by the name of the attribute. */
    public <T> T parse(String name, String text, Function<String, T> parser) {
        try {
            return parser.apply(values.apply(text));
        } catch (RuntimeException invalid) {
            throw invalid(name, invalid);
        }
    }

    /** Returns the exception for an attribute, or several of them, that a parser or a rule does not take. */
    public RuntimeException invalid(String name, RuntimeException why) {
        RuntimeException invalid =
                refusal.refused("has an invalid " + name + ": " + why.getMessage(), "Correct " + name);
        invalid.initCause(why);
        return invalid;
    }

    /** Reads true or false. */
    public static boolean flag(String text) {
        require(
                text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false"),
                "\"" + text + "\" is neither true nor false");
        return Boolean.parseBoolean(text);
    }

    /** Reads a constant of an enum, in lower case with hyphens or as it is declared. */
    public static <E extends Enum<E>> E constant(Class<E> type, String text) {
        return Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
