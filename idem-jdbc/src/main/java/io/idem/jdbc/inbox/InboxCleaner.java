package io.idem.jdbc.inbox;

import static io.idem.internal.value.Arguments.require;

import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.OwnTransactions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.jdbc.BadSqlGrammarException;

/**
 * Deletes rows whose work was claimed longer ago than the retention. A duplicate that comes later is run again, so the
 * retention must be longer than any redelivery, dead-letter redrive or rewind. Thread-safe; several instances may clean
 * at once, each deletes other rows.
 */
public final class InboxCleaner {

    private static final Set<String> NO_TABLE = Set.of("42P01", "42S02");

    private final OwnTransactions database;
    private final List<String> deletes;
    private final Duration retention;

    /**
     * Creates a cleaner; connects, to find out the database.
     *
     * @param retention the age by the database's clock from which a row may be deleted
     * @throws IllegalArgumentException if the retention is not positive
     * @throws InboxSchemaException if the database is not PostgreSQL, MariaDB or MySQL
     */
    public InboxCleaner(DataSource dataSource, Duration retention) {
        this(
                dataSource,
                retention,
                dialect -> List.of(dialect.clean(), dialect.attempts().clean()));
    }

    private InboxCleaner(DataSource dataSource, Duration retention, Function<InboxDialect, List<String>> deletes) {
        require(
                !retention.isNegative() && !retention.isZero(),
                "The retention " + retention + " of the inbox is not positive; every row would be deleted at once");
        this.database = new OwnTransactions(dataSource);
        this.deletes = deletes.apply(DatabaseProduct.dialect(dataSource));
        this.retention = retention;
    }

    /**
     * Returns a cleaner of an inbox that is the store: it also deletes failures whose last attempt is
     * older than the retention. Connects, to find out the database.
     *
     * @throws IllegalArgumentException if the retention is not positive
     * @throws InboxSchemaException if the database is not PostgreSQL, MariaDB or MySQL
     */
    public static InboxCleaner ofStore(DataSource dataSource, Duration retention) {
        return new InboxCleaner(
                dataSource,
                retention,
                dialect -> List.of(
                        dialect.clean(),
                        dialect.failures().clean(),
                        dialect.attempts().clean()));
    }

    /**
     * Deletes rows that are old enough, {@value InboxDialect#CLEAN_BATCH} rows at a time, each batch in a transaction
     * of its own so that no lock is held for long. Blocks until done.
     *
     * @return the number of rows deleted
     */
    public long clean() {
        long total = 0;
        List<RuntimeException> failures = new ArrayList<>();
        for (String delete : deletes) {
            try {
                total += clean(delete);
            } catch (RuntimeException failure) {
                failures.add(failure);
            }
        }
        if (!failures.isEmpty()) {
            RuntimeException first = failures.remove(0);
            failures.forEach(first::addSuppressed);
            throw first;
        }
        return total;
    }

    /** Deletes nothing from a table that is missing, because the application has no use for it. */
    private long clean(String delete) {
        try {
            return cleanAll(delete);
        } catch (BadSqlGrammarException missing) {
            SQLException why = missing.getSQLException();
            if (why != null
                    && delete.contains("idem_inbox_attempt")
                    && NO_TABLE.contains(String.valueOf(why.getSQLState()))) {
                return 0;
            }
            throw missing;
        }
    }

    private long cleanAll(String delete) {
        long total = 0;
        int deleted;
        do {
            deleted = database.run(jdbc -> jdbc.update(delete, retention.toSeconds()));
            total += deleted;
        } while (deleted == InboxDialect.CLEAN_BATCH);
        return total;
    }
}
