package io.idem;

/**
 * Makes keys from the objects that work is about, so that one intention has one key wherever and whenever it is made.
 * For publishers and plain code; listeners name fields by {@code @IdempotentListener(keyFields)}. Implementations are
 * thread-safe.
 *
 * @param <M> the type of the object that the key is made from
 */
@FunctionalInterface
public interface KeyStrategy<M> {

    /**
     * Returns the value of the key.
     *
     * @throws InvalidKeyException if a part of the key is missing, since a key without it would be shared with other
     *     work
     */
    String keyOf(M about);

    /** Returns a strategy that digests chosen fields; add them with {@link FieldKeys#and}. */
    static <M> FieldKeys<M> fields() {
        return FieldKeys.none();
    }
}
