package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.AcquireRequest;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxWork;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.jdbc.store.RecordSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * A pool with connections to a server that was demoted, while its address leads to the server that was promoted. The sessions
 * of both are those of one server here, of which the first only read.
 */
@Tag("servers")
class DemotedServerTest {

    private static final int CONNECTIONS = 3;

    private final TestDatabase database = new TestDatabase();
    private final AtomicBoolean promoted = new AtomicBoolean();
    private final HikariDataSource pool = new HikariDataSource();

    @BeforeEach
    void failOver() throws SQLException {
        new RecordSchema(database.dataSource()).create();
        new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource())).create();
        pool.setDataSource(new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return server(promoted.get() ? "" : "-c default_transaction_read_only=on")
                        .getConnection();
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        });
        pool.setMaximumPoolSize(CONNECTIONS);
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            all.add(pool.getConnection());
        }
        for (Connection connection : all) {
            connection.close();
        }
        promoted.set(true);
    }

    @AfterEach
    void close() {
        pool.close();
        database.close();
    }

    private PGSimpleDataSource server(String options) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.dataSource().getUrl());
        source.setUser(database.dataSource().getUser());
        source.setPassword(database.dataSource().getPassword());
        source.setCurrentSchema(database.dataSource().getCurrentSchema());
        source.setOptions(options);
        return source;
    }

    private Callable<?> call(String which) {
        JdbcTransactionManager manager = new JdbcTransactionManager(pool);
        return switch (which) {
            case "store" -> () -> new PostgresIdempotencyStore(pool).acquire(AcquireRequest.trial(1));
            case "inbox alone" ->
                () -> {
                    new InboxStore(pool).check();
                    return "checked";
                };
            case "steps" ->
                () -> new JdbcInbox(pool, manager).lastPhase().orElseThrow().recall(Leases.lease("k", 1));
            default ->
                () -> new JdbcInbox(pool, manager)
                        .run(Leases.request("k", 1), row -> Optional.of(new Effect(StoredResult.NONE, List.of())));
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"store", "inbox", "inbox alone", "steps"})
    void everyRefusedCallDropsItsConnectionAndTheNextReachesThePromotedServer(String which) throws Exception {
        Callable<?> call = call(which);
        for (int i = 0; i < CONNECTIONS; i++) {
            try {
                call.call();
            } catch (StoreUnavailableException refused) {
                assertThat(refused).hasMessageContaining("read-only");
            }
        }

        assertThat(call.call()).isNotNull();
    }

    @Test
    void workThatFailsForAnotherReasonKeepsItsConnection() {
        JdbcInbox inbox = new JdbcInbox(pool, new JdbcTransactionManager(pool));
        JdbcTemplate joining = new JdbcTemplate(pool);
        List<Integer> sessions = new ArrayList<>();
        InboxWork failing = row -> {
            sessions.add(joining.queryForObject("SELECT pg_backend_pid()", Integer.class));
            throw new IllegalStateException("no cover", new SQLException("a constraint", "23505"));
        };
        for (int i = 0; i < CONNECTIONS + 2; i++) {
            assertThatThrownBy(() -> inbox.run(Leases.request("k", 1), failing)).isInstanceOf(RuntimeException.class);
        }

        assertThat(sessions).hasSizeGreaterThan(1);
        assertThat(Set.copyOf(sessions)).hasSize(1);
    }
}
