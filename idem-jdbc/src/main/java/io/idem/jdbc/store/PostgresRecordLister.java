package io.idem.jdbc.store;

import static io.idem.internal.value.Arguments.require;

import io.idem.Scope;
import io.idem.jdbc.internal.Parameters;
import io.idem.jdbc.internal.RecordRow;
import io.idem.jdbc.internal.StoreConnections;
import io.idem.spi.RecordLister;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Lists the records in PostgreSQL in the order of their primary key, one range of it per page. Thread-safe; blocks on
 * one connection for each page.
 */
public final class PostgresRecordLister implements RecordLister {

    private static final Pattern CURSOR = Pattern.compile("([\\w-]{22}):(" + Scope.SYNTAX + ")");

    private final StoreConnections database;

    /** Creates a lister with {@link PostgresIdempotencyStore#DEFAULT_STATEMENT_TIMEOUT}. */
    public PostgresRecordLister(DataSource dataSource) {
        this(dataSource, PostgresIdempotencyStore.DEFAULT_STATEMENT_TIMEOUT);
    }

    /**
     * Creates a lister.
     *
     * @param statementTimeout the longest time for one page, in whole seconds, rounded up
     */
    public PostgresRecordLister(DataSource dataSource, Duration statementTimeout) {
        this.database = new StoreConnections(dataSource, statementTimeout);
    }

    @Override
    public Page list(String cursor, int most) {
        Position from = Position.of(cursor);
        return database.call("SELECT of the records", RecordStatements.LIST, statement -> {
            new Parameters(statement).add(from.keyId()).add(from.scope()).add(most);
            return page(statement, most);
        });
    }

    private static Page page(PreparedStatement statement, int most) throws SQLException {
        List<Listed> live = new ArrayList<>();
        int rows = 0;
        String last = START;
        try (ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                rows++;
                RecordRow row = RecordRow.read(found);
                last = row.keyId() + ":" + row.snapshot().scope();
                if (!row.expired()) {
                    live.add(new Listed(row.keyId(), row.snapshot()));
                }
            }
        }
        return new Page(live, rows < most ? START : last);
    }

    /** Does nothing: connections are returned to their pool after each page. */
    @Override
    public void close() {}

    /** The row after which a page begins; the empty text is before all rows. */
    private record Position(String keyId, String scope) {

        static Position of(String cursor) {
            if (cursor.equals(START)) {
                return new Position("", "");
            }
            Matcher parts = CURSOR.matcher(cursor);
            require(parts.matches(), "\"" + cursor + "\" is not a cursor");
            return new Position(parts.group(1), parts.group(2));
        }
    }
}
