package io.idem.http;

/** Decides by its status whether an answer is stored, or frees the key for another attempt. Thread-safe. */
@FunctionalInterface
public interface StoringPolicy {

    /**
     * Whether an answer with this status ends the operation, so that duplicates are answered with it.
     *
     * @param status 100 to 599
     */
    boolean stores(int status);
}
