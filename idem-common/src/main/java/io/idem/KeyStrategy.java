package io.idem;

/**
 * Makes the key of a piece of work from what the work is about, so that the same intention has the same key wherever and whenever
 * it is made. For publishers and plain code; listeners name fields by {@code @IdempotentListener(keyFields)}. Thread-safe.
 *
 * @param <M> what the work is about
 */
@FunctionalInterface
public interface KeyStrategy<M> {

    /**
     * The key's value.
     *
     * @throws InvalidKeyException if a part of the key is missing: there is no key then, rather than one that others share
     */
    String keyOf(M about);

    /** A strategy that digests chosen fields; add them with {@link FieldKeys#and}. */
    static <M> FieldKeys<M> fields() {
        return FieldKeys.none();
    }
}
