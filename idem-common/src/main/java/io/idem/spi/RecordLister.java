package io.idem.spi;

import io.idem.RecordSnapshot;
import java.util.List;

/**
 * Looks through a store's records, a bounded part of them at a time, for operators. Keys are told by their digests: a store does not know
 * them otherwise. Thread-safe; blocks.
 */
public interface RecordLister extends AutoCloseable {

    /** The cursor of the first page, and of what follows the last one. */
    String START = "0";

    /**
     * One page.
     *
     * @param cursor {@link #START}, or what the page before said
     * @param most about how many records are looked at, from 1
     * @throws io.idem.StoreUnavailableException if the store did not answer
     * @throws IllegalArgumentException if the cursor is none
     */
    Page list(String cursor, int most);

    @Override
    void close();

    /**
     * Some records.
     *
     * @param records in no order; one may come on two pages, and one that is there all the time comes at least once
     * @param next cursor of the next page; {@link #START} if this was the last one
     */
    record Page(List<Listed> records, String next) {}

    /**
     * A record and whose it is.
     *
     * @param keyId digest of the key
     */
    record Listed(String keyId, RecordSnapshot record) {}
}
