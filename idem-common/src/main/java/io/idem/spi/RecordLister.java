package io.idem.spi;

import io.idem.RecordSnapshot;
import java.util.List;

/**
 * Lists the records of a store, a bounded part at a time, for operators. Keys are named by their digests, because a
 * store does not know more of them. Thread-safe; blocks.
 */
public interface RecordLister extends AutoCloseable {

    /** Cursor of the first page, and the next cursor of the last page. */
    String START = "0";

    /**
     * Returns one page.
     *
     * @param cursor {@link #START}, or {@link Page#next} of the page before
     * @param most approximate number of records to look at, from 1
     * @throws io.idem.StoreUnavailableException if the store did not answer
     * @throws IllegalArgumentException if the cursor is invalid
     */
    Page list(String cursor, int most);

    @Override
    void close();

    /**
     * A page of records.
     *
     * @param records in no order; a record may be on two pages, and a record that exists all the time is on at least
     *     one
     * @param next cursor of the next page; {@link #START} if this was the last one
     */
    record Page(List<Listed> records, String next) {}

    /**
     * A record with the digest of its key.
     *
     * @param keyId digest of the key
     */
    record Listed(String keyId, RecordSnapshot record) {}
}
