package io.idem.jdbc.store;

import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.OwnTransactions;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Deletes records whose retention has ended, but none with messages that are still to be sent. Since they count as absent already, this only
 * frees space and may run seldom or late. A pass on PostgreSQL reads all of the table, a few pages at a time: rows that expire together lie
 * together. Thread-safe; several instances may clean at once, each deletes other rows.
 */
public final class RecordCleaner {

    /** The number of pages that one statement reads. */
    private static final int PAGES = 200;

    private static final String ALL_PAGES = "SELECT pg_relation_size('idem_record'::regclass)"
            + " / current_setting('block_size')::bigint";

    private final OwnTransactions database;
    private final InboxDialect dialect;

    /**
     * Creates a cleaner; connects, to find out the database.
     *
     * @throws InboxSchemaException if the database is not PostgreSQL, MariaDB or MySQL
     */
    public RecordCleaner(DataSource dataSource) {
        this.database = new OwnTransactions(dataSource);
        this.dialect = DatabaseProduct.dialect(dataSource);
    }

    /**
     * Deletes expired records, each batch in a transaction of its own so that no lock is held for long. Blocks until done.
     *
     * @return the number of records deleted
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    public long clean() {
        return dialect.claimLocks() ? cleanPages() : cleanBatches();
    }

    private long cleanPages() {
        String all = dialect.sql(ALL_PAGES);
        long pages = Objects.requireNonNull(database.runAlone(jdbc -> jdbc.queryForObject(all, Long.class)));
        long total = 0;
        for (long first = 0; first < pages; first += PAGES) {
            String from = "(" + first + ",0)";
            String to = "(" + (first + PAGES) + ",0)";
            total += database.runAlone(jdbc -> jdbc.update(dialect.clean(), from, to));
        }
        return total;
    }

    private long cleanBatches() {
        long total = 0;
        long deleted;
        do {
            // Stricter levels would lock the gaps between the rows, in which others insert theirs.
            deleted = database.run(jdbc -> jdbc.update(dialect.clean()));
            total += deleted;
        } while (deleted == InboxDialect.CLEAN_BATCH);
        return total;
    }
}
