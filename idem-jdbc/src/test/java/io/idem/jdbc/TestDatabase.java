package io.idem.jdbc;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

/** A schema of a test's own in a real PostgreSQL, with a ledger that has no unique constraint: the witness. */
public final class TestDatabase implements AutoCloseable {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(1);

    private final String schema = "inbox_" + UUID.randomUUID().toString().replace("-", "");
    private final ReusedSessions dataSource = dataSource(schema);
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final List<HikariDataSource> pools = new ArrayList<>();

    public TestDatabase() {
        jdbc.execute("CREATE SCHEMA " + schema);
        jdbc.execute("CREATE TABLE ledger (entry text NOT NULL)");
    }

    private static ReusedSessions dataSource(String schema) {
        RunningPostgres postgres = SharedServers.postgres();
        ReusedSessions source = new ReusedSessions();
        source.setUrl(postgres.jdbcUrl());
        source.setUser(postgres.user());
        source.setPassword(postgres.password());
        source.setCurrentSchema(schema);
        source.setApplicationName(schema);
        return source;
    }

    /** Returns connections without a limit, whose sessions are used again. */
    public PGSimpleDataSource dataSource() {
        return dataSource;
    }

    /** A pool of the given size, for tests with so many transactions that a session for each would take most of their time. */
    public HikariDataSource pool(int connections) {
        HikariConfig settings = new HikariConfig();
        settings.setDataSource(dataSource);
        settings.setMaximumPoolSize(connections);
        HikariDataSource pool = new HikariDataSource(settings);
        pools.add(pool);
        return pool;
    }

    public JdbcTemplate jdbc() {
        return jdbc;
    }

    /** A piece of business. */
    public void pay(String entry) {
        jdbc.update("INSERT INTO ledger VALUES (?)", entry);
    }

    public List<String> ledger() {
        return jdbc.queryForList("SELECT entry FROM ledger ORDER BY entry", String.class);
    }

    public int inboxRows() {
        return count("SELECT count(*) FROM idem_record");
    }

    /** Returns the number of this test's sessions that wait for another one's transaction. */
    public int waiting() {
        return count(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = ?",
                schema);
    }

    /** Returns the number of this test's sessions that have an open transaction and are idle. */
    public int openTransactions() {
        return count(
                "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND application_name = ?",
                schema);
    }

    public int count(String query, Object... arguments) {
        return requireNonNull(jdbc.queryForObject(query, Integer.class, arguments));
    }

    /** Drops the schema. The server may still run statements of sessions that were closed, and end the drop as a deadlock. */
    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
        await().atMost(TIME_LIMIT)
                .ignoreException(PessimisticLockingFailureException.class)
                .until(() -> {
                    jdbc.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
                    return true;
                });
        try {
            dataSource.closeSessions();
        } catch (SQLException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
