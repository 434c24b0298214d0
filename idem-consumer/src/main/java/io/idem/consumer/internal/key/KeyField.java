package io.idem.consumer.internal.key;

import io.idem.consumer.DeliveredMessage;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field of a key, written {@code /json/pointer}, {@code name=/json/pointer} or {@code name=SpEL}. A pointer is its
 * own name.
 *
 * @param name part of the key
 */
record KeyField(String name, Source source) {

    /** Fields with a name of their own. SpEL needs one, so that renaming a parameter does not change every key. */
    private static final Pattern NAMED = Pattern.compile("([A-Za-z][A-Za-z0-9_.-]*)=(?!=)(.+)", Pattern.DOTALL);

    /**
     * Reads fields.
     *
     * @throws IllegalArgumentException if one cannot be read, or two have one name
     */
    static List<KeyField> parse(String[] texts, UnaryOperator<String> placeholders, Method listener) {
        List<KeyField> fields = Stream.of(texts)
                .map(placeholders)
                .map(text -> parse(text, listener))
                .toList();
        Set<String> names = new HashSet<>();
        fields.stream().filter(field -> !names.add(field.name())).findFirst().ifPresent(twice -> {
            throw new IllegalArgumentException(
                    "field " + twice.name() + " is there twice; give each a name of its own");
        });
        return fields;
    }

    private static KeyField parse(String text, Method listener) {
        if (text.startsWith("/")) {
            return new KeyField(text, pointer(text));
        }
        Matcher named = NAMED.matcher(text);
        if (!named.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is neither a JSON pointer, as in /order/id, nor name=SpEL, as in id=#order.id()");
        }
        String what = named.group(2);
        return new KeyField(named.group(1), what.startsWith("/") ? pointer(what) : expression(what, listener));
    }

    private static Source pointer(String text) {
        Jackson.require("the key field " + text);
        JsonBody.Pointer pointer = JsonBody.pointer(text);
        return (message, arguments, body) -> body.get().at(pointer);
    }

    private static Source expression(String text, Method listener) {
        return new Evaluated(MessageExpression.of(text, listener));
    }

    /** Source of a field's value. */
    @FunctionalInterface
    interface Source {

        /**
         * Returns the field's value; null if it is missing.
         *
         * @param body of the message; parsed when it is asked for
         */
        @Nullable Object read(DeliveredMessage message, @Nullable Object[] arguments, Supplier<JsonBody> body);

        /** Returns whether it needs the listener's arguments. */
        default boolean readsArguments() {
            return false;
        }
    }

    private record Evaluated(MessageExpression expression) implements Source {

        @Override
        public @Nullable Object read(DeliveredMessage message, @Nullable Object[] arguments, Supplier<JsonBody> body) {
            return expression.evaluate(message, arguments);
        }

        @Override
        public boolean readsArguments() {
            return expression.expression().readsArguments();
        }
    }
}
