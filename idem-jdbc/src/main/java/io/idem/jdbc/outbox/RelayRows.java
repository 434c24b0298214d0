package io.idem.jdbc.outbox;

import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.jdbc.SchemaDataSource;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.jdbc.internal.InboxDialect;
import io.idem.jdbc.internal.OutgoingCodec;
import io.idem.jdbc.internal.OwnTransactions;
import io.idem.operations.UnsentMessages.Waiting;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.function.SingletonSupplier;

/** The relay's statements on one table of the inbox, in transactions of its own. Thread-safe. */
final class RelayRows {

    private static final long UNKNOWN = -1;

    /** How often the time doubles for which a database is left alone. */
    private static final int LONGEST = 5;

    private static final String OF_OWNER = " WHERE key_id = ? AND scope = ? AND owner = ?";
    private static final String SENT =
            "UPDATE idem_record SET outgoing = NULL, relay_at = NULL" + OF_OWNER + " AND relay_at IS NOT NULL";
    private static final String THERE = "SELECT 1 FROM idem_record" + OF_OWNER;

    /** Finds the scopes first, by the index. MariaDB and MySQL would read all rows otherwise. */
    private static final String COUNT = " FROM (SELECT scope, max(relay_at) FROM idem_record WHERE relay_at IS NOT NULL"
            + " GROUP BY scope) waiting JOIN idem_record r ON r.scope = waiting.scope AND r.relay_at IS NOT NULL"
            + " GROUP BY waiting.scope";

    private final String tenant;
    private final DataSource dataSource;
    private final OwnTransactions database;
    private final SingletonSupplier<InboxDialect> dialect;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile List<Waiting> counted = List.of();
    private volatile long leftAloneUntil = System.nanoTime();

    /**
     * Does not connect, because an application without a scope to relay may have another database, or no tables.
     *
     * @param tenant empty where there is only one data source
     */
    RelayRows(String tenant, DataSource dataSource) {
        this.tenant = tenant;
        this.dataSource = dataSource;
        this.database = new OwnTransactions(dataSource);
        this.dialect = SingletonSupplier.of(() -> DatabaseProduct.dialect(dataSource));
    }

    String tenant() {
        return tenant;
    }

    DataSource dataSource() {
        return SchemaDataSource.inside(dataSource);
    }

    /** Returns whether the table is that of a data source. */
    boolean isIn(DataSource other) {
        return dataSource() == SchemaDataSource.inside(other);
    }

    /** Returns whether a data source leads to this table on the calling thread. */
    boolean isBehind(DataSource chosen) {
        DataSource target = dataSource();
        try {
            return tenant.isEmpty()
                    || (chosen.isWrapperFor(target.getClass()) && chosen.unwrap(target.getClass()) == target);
        } catch (SQLException notThere) {
            return false;
        }
    }

    /** Returns words that name the tenant in messages; empty where there is only one data source. */
    String ofTenant() {
        return tenant.isEmpty() ? "" : " of tenant " + tenant;
    }

    private InboxDialect dialect() {
        return dialect.obtain();
    }

    /**
     * Takes rows that are due, except those that another instance is taking.
     *
     * @param again the time after which they are due once more unless they were {@linkplain #sent sent} by then
     * @return the rows, including those that this version cannot read, which have no messages
     */
    List<RelayedRow> take(String scope, int limit, Duration again) {
        return database.run(jdbc -> {
            List<RelayedRow> rows = jdbc.query(dialect().due(), (row, number) -> read(row), scope, limit);
            int[] unused = postpone(jdbc, rows, row -> again);
            return rows;
        });
    }

    private int[] postpone(JdbcTemplate jdbc, List<RelayedRow> rows, Function<RelayedRow, Duration> delay) {
        String postpone =
                "UPDATE idem_record SET relay_at = " + dialect().later() + OF_OWNER + " AND relay_at IS NOT NULL";
        return jdbc.batchUpdate(
                dialect().sql(postpone),
                rows.stream()
                        .map(row -> new Object[] {TimeUnit.NANOSECONDS.toMicros(delay.apply(row).toNanos()), row.keyId(), row.scope(), row.owner().toBytes()})
                        .toList());
    }

    private RelayedRow read(ResultSet row) throws SQLException {
        return new RelayedRow(
                this,
                row.getString("key_id"),
                row.getString("scope"),
                OwnerToken.ofBytes(row.getBytes("owner")),
                messages(row.getBytes("outgoing")));
    }

    /** Decodes the messages of a row; a row that cannot be read has none, so that it does not delay the others. */
    private static List<OutgoingMessage> messages(byte[] outgoing) {
        try {
            return OutgoingCodec.decode(outgoing);
        } catch (IllegalStateException unreadable) {
            return List.of();
        }
    }

    /**
     * Removes the messages of these rows, after their brokers have confirmed them.
     *
     * @return those that are not in this table
     */
    List<RelayedRow> sent(List<RelayedRow> rows) {
        List<Object[]> keys = rows.stream()
                .map(row -> new Object[] {row.keyId(), row.scope(), row.owner().toBytes()})
                .toList();
        return database.run(jdbc -> {
            int[] updated = jdbc.batchUpdate(dialect().sql(SENT), keys);
            return IntStream.range(0, updated.length)
                    .filter(i -> updated[i] == 0)
                    .filter(i -> jdbc.queryForList(dialect().sql(THERE), Integer.class, keys.get(i))
                            .isEmpty())
                    .mapToObj(rows::get)
                    .toList();
        });
    }

    /** Moves rows on, each by its own time from now. */
    void postpone(List<RelayedRow> rows, Function<RelayedRow, Duration> delay) {
        int[] unused = database.run(jdbc -> postpone(jdbc, rows, delay));
    }

    /**
     * Counts the rows with messages that are not known to have been sent, by scope; zero for those that are always served. Where none is
     * there may be no table.
     */
    List<Waiting> count(Set<String> always, Predicate<String> served) {
        Map<String, Waiting> all = ofAll(always, 0);
        if (!always.isEmpty() || mayExist()) {
            String count = "SELECT waiting.scope, count(*), max(" + dialect().age() + ")" + COUNT;
            database.runAlone(jdbc -> jdbc.query(dialect().sql(count), (row, number) -> waiting(row, served)))
                    .forEach(each -> all.put(each.scope(), each));
        }
        counted = List.copyOf(all.values());
        failures.set(0);
        return counted;
    }

    /**
     * Leaves the database of a tenant alone, for twice as long each time that it fails in a row: the wait for a connection
     * may be long, and other tenants wait meanwhile.
     *
     * @param first the time after the first failure
     */
    void leaveAlone(Duration first) {
        leftAloneUntil = System.nanoTime() + (first.toNanos() << Math.min(LONGEST, failures.getAndIncrement()));
    }

    /** Returns whether the database has failed a short time ago. One that is the only one is asked at each look. */
    boolean isLeftAlone() {
        return !tenant.isEmpty() && System.nanoTime() - leftAloneUntil < 0;
    }

    /** Notes that nobody knows what waits in these scopes and in those that were counted before. */
    void uncounted(Set<String> always) {
        Map<String, Waiting> all = ofAll(always, UNKNOWN);
        counted.forEach(
                each -> all.put(each.scope(), new Waiting(tenant, each.scope(), UNKNOWN, UNKNOWN, each.served())));
        counted = List.copyOf(all.values());
    }

    private Map<String, Waiting> ofAll(Set<String> scopes, long rows) {
        Map<String, Waiting> all = new TreeMap<>();
        scopes.forEach(scope -> all.put(scope, new Waiting(tenant, scope, rows, rows, true)));
        return all;
    }

    /** Returns whether the database has such a table, perhaps in another schema. A statement without its table would be logged there. */
    private boolean mayExist() {
        String tables = "SELECT count(*) FROM information_schema.tables WHERE table_name = 'idem_record'";
        return !database.runAlone(jdbc -> jdbc.queryForList(tables, Long.class)).equals(List.of(0L));
    }

    private Waiting waiting(ResultSet row, Predicate<String> served) throws SQLException {
        String scope = row.getString(1);
        return new Waiting(tenant, scope, row.getLong(2), row.getLong(3) / 1_000, served.test(scope));
    }

    /** Returns what the last count has found; a negative number of rows if it has failed. */
    List<Waiting> counted() {
        return counted;
    }
}
