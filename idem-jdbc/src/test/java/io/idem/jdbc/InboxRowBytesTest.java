package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.servers.junit.RequiresMariaDb;
import io.idem.servers.junit.RequiresMySql;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The bytes of an inbox row with its indexes, as docs/production-checklist.md gives them for planning. */
@Tag("extended")
class InboxRowBytesTest {

    private static final int ROWS = 50_000;
    private static final Percentage A_FIFTH = Percentage.withPercentage(20);

    /** Of the scope of a consumer of an ordinary name. */
    private static final String INSERT = "INSERT INTO idem_record"
            + " (key_id, scope, state, attempts, grant_kind, fence, owner, fingerprint, at, expires_at)"
            + " VALUES (?, 'payments', 2, 1, 0, 1795256100123456, 'twelve bytes', 'sixteen bytes...', now(), now())";

    private static long bytesPerRow(InboxDatabase database, String size, List<String> analyse) {
        try (database) {
            new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource())).create();
            List<Object[]> keys = IntStream.range(0, ROWS)
                    .mapToObj(number ->
                            new Object[] {IdempotencyKey.of("order-" + number).id()})
                    .toList();
            for (int from = 0; from < ROWS; from += 1_000) {
                database.jdbc().batchUpdate(INSERT, keys.subList(from, from + 1_000));
            }
            analyse.forEach(statement -> database.jdbc().execute(statement));
            Long bytes = database.jdbc().queryForObject(size, Long.class);
            return (bytes == null ? 0 : bytes) / ROWS;
        }
    }

    private static long inInnoDb(InboxDatabase database) {
        String size = "SELECT data_length + index_length FROM information_schema.tables"
                + " WHERE table_schema = database() AND table_name = 'idem_record'";
        return bytesPerRow(database, size, List.of("ANALYZE TABLE idem_record"));
    }

    @Test
    void ofPostgresql() {
        long bytes = bytesPerRow(
                new PostgresInboxContractTest().open(), "SELECT pg_total_relation_size('idem_record')", List.of());

        assertThat(bytes).isCloseTo(198, A_FIFTH);
    }

    @Test
    @RequiresMariaDb
    void ofMariaDb() {
        assertThat(inInnoDb(new MariaDbInboxContractTest().open())).isCloseTo(347, A_FIFTH);
    }

    @Test
    @RequiresMySql
    void ofMySql() {
        assertThat(inInnoDb(new MySqlInboxContractTest().open())).isCloseTo(368, A_FIFTH);
    }
}
