package io.idem.test.jdbc;

import io.idem.RecordId;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.jdbc.store.RecordSchema;
import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import io.idem.spi.IdempotencyStore;
import io.idem.test.contract.StoreHarness;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A schema of one test class's own in a PostgreSQL. Lets time pass by rewriting the moments in every row. Closing empties it;
 * {@link #stop()} removes it.
 */
public final class PostgresStoreHarness implements StoreHarness {

    private final String schema = "store_" + UUID.randomUUID().toString().replace("-", "");
    private final ReusedConnections dataSource = new ReusedConnections(newDataSource(schema));
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(2, 2, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    private final PostgresIdempotencyStore store =
            new PostgresIdempotencyStore(dataSource, PostgresIdempotencyStore.DEFAULT_STATEMENT_TIMEOUT, threads);

    /** Makes the schema and its tables. */
    public PostgresStoreHarness() {
        jdbc.execute("CREATE SCHEMA " + schema);
        new RecordSchema(dataSource).create();
    }

    static PGSimpleDataSource newDataSource(String schema) {
        RunningPostgres postgres = SharedServers.postgres();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(postgres.jdbcUrl());
        source.setUser(postgres.user());
        source.setPassword(postgres.password());
        source.setCurrentSchema(schema);
        return source;
    }

    /** Of this schema, with its connections kept open for the next user. */
    public ReusedConnections dataSource() {
        return dataSource;
    }

    /** The schema's name. */
    public String schema() {
        return schema;
    }

    /** Statements past the store. */
    public JdbcTemplate jdbc() {
        return jdbc;
    }

    /** The store itself. */
    public PostgresIdempotencyStore postgres() {
        return store;
    }

    @Override
    public IdempotencyStore store() {
        return store;
    }

    @Override
    public void advance(Duration by) {
        jdbc.update(
                "UPDATE idem_record SET at = at - ? * interval '1 millisecond',"
                        + " expires_at = expires_at - ? * interval '1 millisecond'",
                by.toMillis(),
                by.toMillis());
    }

    @Override
    public String stored(RecordId record) {
        List<Map<String, Object>> rows = jdbc.queryForList(
                "SELECT md5(r::text) AS digest, xmin::text AS written FROM idem_record r"
                        + " WHERE key_id = ? AND scope = ? AND expires_at > clock_timestamp()",
                record.key().id(),
                record.scope().name());
        return rows.toString();
    }

    /** Several records as they are stored. */
    public List<String> stored(List<RecordId> records) {
        Map<String, String> rows = new HashMap<>();
        jdbc.query(
                "SELECT key_id || scope AS record, md5(r::text) || xmin AS stored FROM idem_record r"
                        + " WHERE expires_at > clock_timestamp()",
                row -> {
                    rows.put(row.getString("record"), row.getString("stored"));
                });
        return records.stream()
                .map(record ->
                        rows.getOrDefault(record.key().id() + record.scope().name(), ""))
                .toList();
    }

    /** Empties the tables for the next test. */
    @Override
    public void close() {
        jdbc.execute("TRUNCATE idem_record, idem_scope");
    }

    /** Removes the schema. */
    public void stop() {
        threads.shutdownNow();
        jdbc.execute("DROP SCHEMA " + schema + " CASCADE");
        dataSource.close();
    }
}
