package io.idem.model.trace;

import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.jdbc.store.RecordSchema;
import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import io.idem.spi.IdempotencyStore;
import io.idem.workshop.simulation.kernel.TraceEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A schema in a PostgreSQL whose table of records logs its writes by a trigger, in the order in which they got the row's lock. It
 * kills the sessions of its stores again and again. Calls that write nothing are not logged.
 */
final class LoggedPostgres implements AutoCloseable {

    private static final long BETWEEN_MILLIS = 500;

    private static final String LOG = """
            CREATE SEQUENCE trace_order;
            CREATE TABLE trace_event (number bigint, key_id text, step text, answer text, owner text, fence bigint,
              due boolean, state smallint, record_fence bigint, attempts integer, millis double precision);
            CREATE FUNCTION trace_write() RETURNS trigger LANGUAGE plpgsql AS $$
            DECLARE
              granted boolean := TG_OP = 'INSERT' OR OLD.fence <> NEW.fence;
              time timestamptz := clock_timestamp();
            BEGIN
              INSERT INTO trace_event VALUES (nextval('trace_order'), NEW.key_id,
                CASE WHEN granted THEN 'ACQUIRE'
                  ELSE (ARRAY['RENEW', 'COMPLETE', 'FAIL', 'REJECT'])[NEW.state] END,
                CASE WHEN granted THEN (ARRAY['FRESH', 'RETRY', 'TAKEOVER', 'REENTRANT'])[NEW.grant_kind + 1] ELSE 'OK' END,
                encode(CASE WHEN granted THEN NEW.owner ELSE OLD.owner END, 'hex'),
                CASE WHEN granted THEN 0 ELSE NEW.fence END,
                TG_OP = 'UPDATE' AND OLD.at <= time,
                NEW.state, NEW.fence, NEW.attempts, extract(epoch FROM time) * 1000);
              RETURN NULL;
            END $$;
            CREATE TRIGGER trace_write AFTER INSERT OR UPDATE ON idem_record FOR EACH ROW EXECUTE FUNCTION trace_write();
            """;

    private final String schema = "traces_" + UUID.randomUUID().toString().replace("-", "");
    private final JdbcTemplate jdbc = new JdbcTemplate(source("trace"));
    private final ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicLong killed = new AtomicLong();

    /** Makes the schema and begins to kill sessions. */
    LoggedPostgres() {
        jdbc.execute("CREATE SCHEMA " + schema);
        new RecordSchema(source("trace")).create();
        jdbc.execute(LOG);
        var unused = killer.scheduleWithFixedDelay(this::kill, BETWEEN_MILLIS, BETWEEN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private PGSimpleDataSource source(String application) {
        RunningPostgres postgres = SharedServers.postgres();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(postgres.jdbcUrl());
        source.setUser(postgres.user());
        source.setPassword(postgres.password());
        source.setCurrentSchema(schema);
        source.setApplicationName(application);
        return source;
    }

    private void kill() {
        killed.addAndGet(jdbc.queryForList(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?", schema)
                .size());
    }

    long killed() {
        return killed.get();
    }

    IdempotencyStore store() {
        return new PostgresIdempotencyStore(source(schema));
    }

    List<TraceEvent> events() {
        return jdbc.query("SELECT * FROM trace_event ORDER BY number", (row, number) -> event(row));
    }

    private static TraceEvent event(ResultSet row) throws SQLException {
        return new TraceEvent(
                row.getDouble("millis"),
                row.getString("key_id"),
                row.getString("step"),
                row.getString("owner"),
                row.getLong("fence"),
                row.getString("answer"),
                row.getBoolean("due"),
                List.of("PENDING", "COMPLETED", "FAILED", "REJECTED").get(row.getInt("state") - 1),
                row.getLong("record_fence"),
                row.getInt("attempts"));
    }

    @Override
    public void close() {
        killer.shutdownNow();
        jdbc.execute("DROP SCHEMA " + schema + " CASCADE");
    }
}
