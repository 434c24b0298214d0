package io.idem;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KeyStrategy} by chosen fields: see {@link IdempotencyKeys#ofFields}. Immutable; thread-safe if the getters are.
 *
 * @param <M> what the work is about
 */
public final class FieldKeys<M> implements KeyStrategy<M> {

    private final Map<String, Function<? super M, ? extends @Nullable Object>> getters;

    private FieldKeys(Map<String, Function<? super M, ? extends @Nullable Object>> getters) {
        this.getters = Map.copyOf(getters);
    }

    static <M> FieldKeys<M> none() {
        return new FieldKeys<>(Map.of());
    }

    /**
     * The same with one more field.
     *
     * @param name part of the key: renaming it changes every key
     * @throws IllegalArgumentException if the name is there already
     */
    public FieldKeys<M> and(String name, Function<? super M, ? extends @Nullable Object> getter) {
        Map<String, Function<? super M, ? extends @Nullable Object>> more = new HashMap<>(getters);
        if (more.put(name, getter) != null) {
            throw new IllegalArgumentException("Field " + name + " is there twice; give each a name of its own");
        }
        return new FieldKeys<>(more);
    }

    @Override
    public String keyOf(M about) {
        Map<String, @Nullable Object> values = new HashMap<>();
        getters.forEach((name, getter) -> values.put(name, getter.apply(about)));
        return IdempotencyKeys.ofFields(values);
    }
}
