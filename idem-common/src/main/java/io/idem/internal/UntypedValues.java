package io.idem.internal;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares results that were read without a type: maps, lists, texts, numbers and truth values. */
public final class UntypedValues {

    /** Stands for a value that a type derives and does not read, such as the seconds until a moment. Says the same as any other. */
    public static final String DERIVED = "idem.derived";

    private UntypedValues() {}

    /**
     * Returns whether both say the same. The items of a set may have another order, and numbers another notation.
     *
     * @param read the first, read as its type and written with all fields of that; null if there is no type
     */
    public static boolean same(@Nullable Object one, @Nullable Object other, @Nullable Object read) {
        return canonical(one, read).equals(canonical(other, read));
    }

    private static String canonical(@Nullable Object value, @Nullable Object read) {
        if (DERIVED.equals(read)) {
            return DERIVED;
        }
        if (value instanceof Map<?, ?> fields) {
            Map<?, ?> known = read instanceof Map<?, ?> map ? map : fields;
            return "{"
                    + sorted(fields.keySet().stream()
                            .map(name -> name + "=" + canonical(fields.get(name), known.get(name))));
        }
        if (value instanceof List<?> items) {
            List<?> known = read instanceof List<?> list && list.size() == items.size() ? list : items;
            return "[" + sorted(IntStream.range(0, items.size()).mapToObj(i -> canonical(items.get(i), known.get(i))));
        }
        return value instanceof Number number
                ? "#" + new BigDecimal(number.toString()).stripTrailingZeros()
                : "'" + value;
    }

    private static String sorted(Stream<String> parts) {
        return parts.sorted().toList().toString();
    }

    /**
     * Returns what a type has lost of a stored result: a field whose value it has under no name although it has others that
     * were not stored, a value where it has null, or a number, truth value, null or empty text where it has another number or
     * truth value.
     *
     * @param read the stored result, read as the type and written with all fields of that, {@link #DERIVED} for derived ones
     */
    public static Optional<String> lost(@Nullable Object stored, @Nullable Object read) {
        if (stored instanceof Map<?, ?> fields && read instanceof Map<?, ?> known) {
            Map<Object, Object> added = new HashMap<>(known);
            added.keySet().removeAll(fields.keySet());
            added.values().removeIf(DERIVED::equals);
            return first(fields.entrySet().stream()
                    .map(field -> known.containsKey(field.getKey())
                            ? lost(field.getValue(), known.get(field.getKey()))
                                    .map(inside -> field.getKey() + ": " + inside)
                            : renamed(field, added)));
        }
        if (stored instanceof List<?> items && read instanceof List<?> known && items.size() == known.size()) {
            // A set may come back in another order.
            return same(stored, read, read)
                    ? Optional.empty()
                    : first(IntStream.range(0, items.size()).mapToObj(i -> lost(items.get(i), known.get(i))));
        }
        if (stored != null && !stored.equals("") && read == null) {
            return Optional.of("its value is not read back");
        }
        boolean nothing = stored == null || stored.equals("");
        boolean changed = (nothing || stored instanceof Number || stored instanceof Boolean)
                && (read instanceof Number || read instanceof Boolean)
                && !read.equals(stored)
                && !same(stored, read, null);
        return changed
                ? Optional.of(("".equals(stored) ? "an empty text" : stored) + " became " + read)
                : Optional.empty();
    }

    private static Optional<String> first(Stream<Optional<String>> found) {
        return found.flatMap(Optional::stream).findFirst();
    }

    private static Optional<String> renamed(Map.Entry<?, ?> field, Map<Object, Object> added) {
        return added.isEmpty() || added.values().stream().anyMatch(value -> holds(field.getValue(), value))
                ? Optional.empty()
                : Optional.of("the field " + field.getKey() + " is not known, and missing is " + added.keySet());
    }

    /** Returns whether a value has all of what was stored, beside fields that were left out. */
    private static boolean holds(@Nullable Object stored, @Nullable Object read) {
        if (stored instanceof Map<?, ?> fields && read instanceof Map<?, ?> known) {
            return known.keySet().containsAll(fields.keySet())
                    && fields.entrySet().stream().allMatch(field -> holds(field.getValue(), known.get(field.getKey())));
        }
        if (stored instanceof List<?> items && read instanceof List<?> known && items.size() == known.size()) {
            return IntStream.range(0, items.size()).allMatch(i -> holds(items.get(i), known.get(i)));
        }
        return same(stored, read, read);
    }
}
