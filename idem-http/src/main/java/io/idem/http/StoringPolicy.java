package io.idem.http;

/** Decides by the status whether an answer is stored, or the key is released for another attempt. Thread-safe. */
@FunctionalInterface
public interface StoringPolicy {

    /**
     * Returns whether an answer with this status ends the operation, so that duplicates are answered with it.
     *
     * @param status the HTTP status, 100 to 599
     */
    boolean stores(int status);
}
