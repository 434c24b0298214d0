package io.idem.http;

/**
 * Decides whether the answer of a handler is stored, or the key is released for another attempt. A bean of this type is asked for the
 * answers of all routes, besides the policy of the route: only what both store is stored. Asked before the record is completed, and before
 * the transaction of an inbox commits. If it fails, the answer is stored. Thread-safe; must not block in a reactive application.
 */
@FunctionalInterface
public interface StoringPolicy {

    /**
     * Returns whether an answer with this status ends the operation, so that duplicates are answered with it.
     *
     * @param status the HTTP status, 100 to 599
     */
    boolean stores(int status);

    /**
     * Returns whether an answer ends the operation; by default as its status says. Asked only if {@link #stores(int)} stores its status.
     * For answers that tell a failure by something else than the status, for example by an envelope.
     *
     * @param answer the answer with the headers that are stored; without its body if that was streamed or is too large to be kept
     */
    default boolean stores(StoredResponse answer) {
        return stores(answer.status());
    }

    /** Returns a policy that stores what both policies store. */
    default StoringPolicy and(StoringPolicy other) {
        StoringPolicy first = this;
        return new StoringPolicy() {
            @Override
            public boolean stores(int status) {
                return first.stores(status) && other.stores(status);
            }

            @Override
            public boolean stores(StoredResponse answer) {
                return first.stores(answer) && other.stores(answer);
            }
        };
    }
}
