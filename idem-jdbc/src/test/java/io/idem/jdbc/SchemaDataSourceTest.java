package io.idem.jdbc;

import static io.idem.jdbc.Leases.lease;
import static io.idem.jdbc.Leases.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.outbox.JdbcOutbox;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.jdbc.outbox.RecordingTransport;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.jdbc.store.PostgresRecordLister;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.jdbc.store.RecordSchema;
import io.idem.servers.junit.RequiresMariaDb;
import io.idem.servers.junit.RequiresMySql;
import io.idem.spi.RecordLister;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Tables in a schema that the connections do not look into by themselves. */
@Tag("servers")
class SchemaDataSourceTest {

    private static final Effect EFFECT =
            new Effect(StoredResult.NONE, List.of(new OutgoingMessage("rabbit", "receipts", new byte[] {1})));

    @Test
    void everyStatementAndScriptOfTheInboxFindsItsTable() throws Exception {
        try (TestDatabase database = new TestDatabase();
                TestDatabase elsewhere = new TestDatabase()) {
            String schema = elsewhere.dataSource().getCurrentSchema();

            useInbox(database.dataSource(), schema);

            assertThat(elsewhere.count("SELECT count(*) FROM idem_record")).isEqualTo(2);
        }
    }

    @Nested
    @Tag("extended")
    @RequiresMariaDb
    class OnMariaDb {

        @Test
        void everyStatementAndScriptOfTheInboxFindsItsTable() throws Exception {
            try (InboxDatabase database = new MariaDbInboxContractTest().open();
                    InboxDatabase elsewhere = new MariaDbInboxContractTest().open()) {
                String schema =
                        new JdbcTemplate(elsewhere.dataSource()).queryForObject("SELECT database()", String.class);

                useInbox(database.dataSource(), String.valueOf(schema));

                assertThat(elsewhere.jdbc().queryForList("SELECT fence FROM idem_record", Long.class))
                        .hasSize(2);
            }
        }
    }

    @Nested
    @Tag("extended")
    @RequiresMySql
    class OnMySql {

        @Test
        void everyStatementAndScriptOfTheInboxFindsItsTable() throws Exception {
            try (InboxDatabase database = new MySqlInboxContractTest().open();
                    InboxDatabase elsewhere = new MySqlInboxContractTest().open()) {
                String schema =
                        new JdbcTemplate(elsewhere.dataSource()).queryForObject("SELECT database()", String.class);

                useInbox(database.dataSource(), String.valueOf(schema));

                assertThat(elsewhere.jdbc().queryForList("SELECT fence FROM idem_record", Long.class))
                        .hasSize(2);
            }
        }
    }

    private static void useInbox(DataSource plain, String schema) throws Exception {
        DataSource dataSource = new SchemaDataSource(plain, schema);
        JdbcTransactionManager manager = new JdbcTransactionManager(plain);
        InboxSchema tables = new InboxSchema(dataSource, manager);
        tables.create();
        tables.create();
        tables.check();
        RecordingTransport broker = new RecordingTransport("rabbit");
        OutboxRelay relay = new OutboxRelay(dataSource, () -> List.of(broker), Duration.ofHours(1));
        var outbox = new JdbcOutbox(dataSource, manager, relay).inbox(new Scope("payments"));

        assertThat(outbox.run(request("k", 1), mine -> Optional.of(EFFECT))).isInstanceOf(InboxOutcome.Committed.class);
        assertThat(outbox.run(request("k", 2), mine -> Optional.of(EFFECT))).isInstanceOf(InboxOutcome.Found.class);
        InboxStore store = new InboxStore(dataSource);
        tables.checkAsStore();
        store.fail(request("failed", 1), Duration.ofHours(1), true);
        assertThat(new JdbcInbox(dataSource, manager)
                        .asStore(store)
                        .run(request("failed", 2), mine -> Optional.of(EFFECT)))
                .isInstanceOf(InboxOutcome.Refused.class);
        assertThat(new RecordCleaner(dataSource).clean())
                .isZero();
        assertThat(store.list(RecordLister.START, 10).records()).hasSize(2);
        assertThat(relay.relay()).isZero();
        assertThat(relay.unsent()).isOne();
        assertThat(new RecordCleaner(dataSource).clean()).isZero();
        assertThat(new JdbcInbox(dataSource, manager).find(lease("k", 1).record()))
                .isPresent();
    }

    @Test
    void everyStatementAndScriptOfTheStoreFindsItsTables() {
        try (TestDatabase database = new TestDatabase();
                TestDatabase elsewhere = new TestDatabase()) {
            useStore(database.dataSource(), elsewhere.dataSource().getCurrentSchema());

            assertThat(elsewhere.count("SELECT count(*) FROM idem_record")).isOne();
        }
    }

    private static void useStore(DataSource plain, String schema) {
        DataSource dataSource = new SchemaDataSource(plain, schema);
        RecordSchema tables = new RecordSchema(dataSource);
        tables.create();
        tables.create();
        tables.check();
        PostgresIdempotencyStore store = new PostgresIdempotencyStore(dataSource);
        store.announce(new Scope("payments"));
        store.acquire(new AcquireRequest(
                lease("k", 1).record(),
                OwnerToken.random(new SecureRandom()),
                Duration.ofSeconds(30),
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                0));

        assertThat(store.inspectAll(lease("k", 1).record().key())).hasSize(1);
        assertThat(new PostgresRecordLister(dataSource)
                        .list(RecordLister.START, 10)
                        .records())
                .isNotEmpty();
        assertThat(new RecordCleaner(dataSource).clean()).isZero();
    }

    @Test
    void aSchemaMayHaveTheNameOfAWordOfPostgresInAnyCase() throws Exception {
        try (TestDatabase database = new TestDatabase()) {
            database.jdbc().execute("CREATE SCHEMA \"order\"");
            try {
                useInbox(database.dataSource(), "Order");
                useStore(database.dataSource(), "Order");
            } finally {
                database.jdbc().execute("DROP SCHEMA \"order\" CASCADE");
            }
        }
    }

    @Test
    void aNameThatWouldNeedQuotesIsRefused() {
        try (TestDatabase database = new TestDatabase()) {
            assertThatThrownBy(() -> new SchemaDataSource(database.dataSource(), "idem; DROP TABLE ledger"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("idem; DROP TABLE ledger");
        }
    }
}
