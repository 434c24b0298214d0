package io.idem.result;

import java.util.Optional;

/**
 * Keeps large results outside their records. Thread-safe; blocks. A name is written once or more, each time with the same bytes, and is
 * at most 200 characters of {@code A-Z a-z 0-9 . _ - /} without a segment that starts with a dot; its last segment ends in
 * {@code -} and the second since 1970 at which the object may be removed.
 */
public interface ResultStorage {

    /**
     * Keeps an object durably before it returns; called before the work commits.
     *
     * @throws ResultStorageException if that is not certain
     */
    void put(String name, byte[] content);

    /**
     * An object; empty if it is certain that there is none.
     *
     * @throws ResultStorageException if the storage does not answer
     */
    Optional<byte[]> get(String name);

    /**
     * Removes an object, if it is there.
     *
     * @throws ResultStorageException if that is not certain
     */
    void delete(String name);
}
