package io.idem.result;

import java.util.Optional;

/**
 * Keeps large results outside their records. Thread-safe; blocks. A name may be written more than once, always with the
 * same bytes. It has at most 200 characters of {@code A-Z a-z 0-9 . _ - /} without a segment that starts with a dot;
 * its last segment ends in {@code -} and the second since 1970 at which the object may be removed.
 */
public interface ResultStorage {

    /**
     * Stores an object durably before it returns. Called before the work commits.
     *
     * @throws ResultStorageException if it is not certain that the object was stored
     */
    void put(String name, byte[] content);

    /**
     * Returns an object; empty only if it is certain that there is none.
     *
     * @throws ResultStorageException if the storage does not answer
     */
    Optional<byte[]> get(String name);

    /**
     * Removes an object if it exists.
     *
     * @throws ResultStorageException if it is not certain that the object was removed
     */
    void delete(String name);
}
