package io.idem;

import static io.idem.internal.value.Arguments.require;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KeyStrategy} that digests chosen fields, as {@link IdempotencyKeys#ofFields} describes. Immutable;
 * thread-safe if the getters are.
 *
 * @param <M> the type of the object that the key is made from
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
     * Returns a copy with one more field.
     *
     * @param name the name of the field, which is part of the key: renaming it changes every key
     * @param getter reads the field's value
     * @throws IllegalArgumentException if there is a field of this name already
     */
    public FieldKeys<M> and(String name, Function<? super M, ? extends @Nullable Object> getter) {
        Map<String, Function<? super M, ? extends @Nullable Object>> more = new HashMap<>(getters);
        require(more.put(name, getter) == null, "Field " + name + " is there twice; give each a name of its own");
        return new FieldKeys<>(more);
    }

    @Override
    public String keyOf(M about) {
        Map<String, @Nullable Object> values = new HashMap<>();
        getters.forEach((name, getter) -> values.put(name, getter.apply(about)));
        return IdempotencyKeys.ofFields(values);
    }
}
