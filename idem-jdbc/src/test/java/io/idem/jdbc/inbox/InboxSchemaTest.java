package io.idem.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.Leases;
import io.idem.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

@Tag("servers")
@ExtendWith(OutputCaptureExtension.class)
class InboxSchemaTest {

    private final TestDatabase database = new TestDatabase();
    private final InboxSchema schema =
            new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource()));

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aTableThatWasCreatedPassesTheCheck() {
        schema.create();

        assertThatCode(schema::check).doesNotThrowAnyException();
    }

    @Test
    void instancesThatStartTogetherDoNotHurtEachOther() throws Exception {
        ExecutorService instances = Executors.newFixedThreadPool(8);
        try {
            Callable<Boolean> start = () -> {
                schema.create();
                return true;
            };
            for (Future<Boolean> instance : instances.invokeAll(Collections.nCopies(16, start))) {
                assertThat(instance.get()).isTrue();
            }
        } finally {
            instances.shutdownNow();
        }
    }

    @Test
    void creatingAgainKeepsTheRows() {
        schema.create();
        database.jdbc().update(ROW);

        schema.create();

        assertThat(database.inboxRows()).isEqualTo(1);
    }

    @Test
    void creatingAgainDoesNotWaitForWorkUnderWay() throws Exception {
        schema.create();
        try (Connection work = database.dataSource().getConnection();
                Statement claim = work.createStatement()) {
            work.setAutoCommit(false);
            claim.execute(ROW);

            // A wait would end with an exception.
            schema.create();
            work.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"idem_inbox", "idem_inbox_failure", "idem_inbox_attempt"})
    void rowsOfAnEarlierVersionAreRefusedUntilTheyMayBeForgotten(String table) {
        database.jdbc().execute("CREATE TABLE " + table + " (key_id text)");
        assertThatCode(schema::create).as("without rows").doesNotThrowAnyException();
        database.jdbc().update("INSERT INTO " + table + " VALUES ('k')");

        assertThatThrownBy(schema::create)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("The table " + table + " of an earlier version has rows")
                .hasMessageContaining("idem.jdbc.forget-old-rows=true")
                .hasMessageContaining("docs/inbox-outbox.md");
        assertThatThrownBy(schema::check).hasMessageContaining(table);
        assertThatCode(schema.forgettingOldRows()::check).doesNotThrowAnyException();
    }

    @Test
    void aTableOfRecordsOfAnEarlierVersionIsReplacedUnlessItHasRows() {
        database.jdbc().execute("CREATE TABLE idem_record (key_id text, clean_at timestamptz)");
        database.jdbc().update("INSERT INTO idem_record VALUES ('k', now())");
        assertThatThrownBy(schema::create).hasMessageContaining("The table idem_record of an earlier version has rows");

        database.jdbc().update("DELETE FROM idem_record");
        schema.create();

        assertThatCode(schema::check).doesNotThrowAnyException();
    }

    @Test
    void rowsOfAnEarlierVersionAreFoundInEveryDatabaseOfARoutingDataSource() {
        schema.create();
        try (TestDatabase other = new TestDatabase()) {
            new InboxSchema(other.dataSource(), new JdbcTransactionManager(other.dataSource())).create();
            other.jdbc().execute("CREATE TABLE idem_inbox (key_id text)");
            other.jdbc().update("INSERT INTO idem_inbox VALUES ('k')");
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return "north";
                }
            };
            routing.setTargetDataSources(Map.of("north", database.dataSource(), "south", other.dataSource()));
            routing.afterPropertiesSet();

            assertThatThrownBy(() -> new InboxSchema(routing, new JdbcTransactionManager(routing)).check())
                    .isInstanceOf(InboxSchemaException.class)
                    .hasMessageContaining("The table idem_inbox of an earlier version has rows");
        }
    }

    @Test
    void theScriptOfRemovalDropsTheTablesOfEarlierVersions() {
        schema.create();
        database.jdbc().execute("CREATE TABLE idem_inbox (key_id text)");
        database.jdbc().update("INSERT INTO idem_inbox VALUES ('k')");

        for (int times = 0; times < 2; times++) {
            new ResourceDatabasePopulator(
                            new ClassPathResource("META-INF/idem/sql/removals/postgresql/R__idem_old_tables.sql"))
                    .execute(database.dataSource());
        }

        assertThatCode(schema::check).doesNotThrowAnyException();
    }

    @Test
    void aMissingTableIsNamed() {
        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("relation \"idem_record\" does not exist");
    }

    @Test
    void aTableOfAnotherShapeIsNamed() {
        database.jdbc().execute("CREATE TABLE idem_record (key_id text, scope text, fence bigint)");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("column \"state\"");
    }

    private static final String ROW = "INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, at,"
            + " expires_at) VALUES ('k', 's', 2, 1, 0, 1, now(), now() + interval '1 day')";

    private static final String COLUMNS = "CREATE TABLE idem_record (key_id varchar(22), scope varchar(64),"
            + " state smallint, attempts integer, grant_kind smallint, fence bigint, owner bytea, fingerprint bytea,"
            + " at timestamptz, expires_at timestamptz, result_codec varchar(32), result bytea, reason text, steps jsonb,"
            + " outgoing bytea, relay_at timestamptz";

    @Test
    void theCheckLeavesNothing() {
        schema.create();

        schema.check();

        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void anUnloggedTableIsRefused() {
        schema.create();
        database.jdbc().execute("ALTER TABLE idem_record SET UNLOGGED");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("ALTER TABLE idem_record SET LOGGED");
        assertThatThrownBy(schema::checkAsStore).isInstanceOf(InboxSchemaException.class);
        database.jdbc().execute("ALTER TABLE idem_record SET LOGGED");
        assertThatCode(schema::checkAsStore).doesNotThrowAnyException();
    }

    @Test
    void aTemporaryTableIsRefused() {
        database.dataSource()
                .setCurrentSchema("pg_temp," + database.dataSource().getCurrentSchema());
        database.jdbc()
                .execute(COLUMNS.replace("CREATE TABLE", "CREATE TEMPORARY TABLE") + ", PRIMARY KEY (key_id, scope))");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("temporary");
    }

    @Test
    void anUnloggedPartitionIsRefused() {
        database.jdbc().execute(COLUMNS + ", PRIMARY KEY (key_id, scope)) PARTITION BY HASH (key_id)");
        String partition = " PARTITION OF idem_record FOR VALUES WITH (MODULUS 2, REMAINDER ";
        database.jdbc().execute("CREATE TABLE first_half" + partition + "0)");
        database.jdbc().execute("CREATE UNLOGGED TABLE second_half" + partition + "1)");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("ALTER TABLE second_half SET LOGGED");
        database.jdbc().execute("ALTER TABLE second_half SET LOGGED");
        assertThatCode(schema::check).doesNotThrowAnyException();
    }

    @Test
    void aDatabaseThatConfirmsCommitsTooEarlyIsAWarning(CapturedOutput log) {
        schema.create();
        database.dataSource().setOptions("-c synchronous_commit=off");

        schema.check();

        assertThat(log.getAll().split("synchronous_commit=off", -1)).hasSize(2);
    }

    @Test
    void aPrimaryKeyOfAnotherNameWillDo() throws Exception {
        database.jdbc().execute(COLUMNS + ", CONSTRAINT my_own_name PRIMARY KEY (key_id, scope))");

        assertThatCode(schema::check).doesNotThrowAnyException();
        new JdbcInbox(database.dataSource(), new JdbcTransactionManager(database.dataSource()))
                .run(Leases.request("k", 1), mine -> Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ")",
                ", PRIMARY KEY (key_id))",
                ", PRIMARY KEY (key_id, scope, fence))",
                ", PRIMARY KEY (key_id, scope), CHECK (length(scope) < 20))",
                ", PRIMARY KEY (key_id, scope), CHECK (length(result) < 65536))"
            })
    void aTableThatCannotTellOneWorkFromAnotherIsRefused(String rest) {
        database.jdbc().execute(COLUMNS + rest);

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("idem_record");
    }

    @ParameterizedTest
    @CsvSource({"fence bigint, fence integer", "at timestamptz, at date"})
    void aColumnThatCannotTellFencesOrAgesIsRefused(String right, String wrong) {
        database.jdbc().execute(COLUMNS.replace(right, wrong) + ", PRIMARY KEY (key_id, scope))");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("idem_record");
    }

    @Test
    void aKeyThatIgnoresTheCaseIsRefused() {
        database.jdbc().execute(COLUMNS + ")");
        database.jdbc().execute("CREATE UNIQUE INDEX exact ON idem_record (key_id, scope)");
        database.jdbc().execute("CREATE UNIQUE INDEX sloppy ON idem_record (lower(key_id), scope)");

        assertThatThrownBy(schema::check).isInstanceOf(InboxSchemaException.class);
    }

    @Test
    void aServerThatOnlyReadsIsRefused() {
        schema.create();
        database.dataSource().setOptions("-c default_transaction_read_only=on");
        try {
            assertThatThrownBy(schema::check)
                    .isInstanceOf(InboxSchemaException.class)
                    .hasMessageContaining("read-only transaction");
        } finally {
            database.dataSource().setOptions("");
        }
    }

    @Test
    void aUserWhoMayNotDeleteIsRefused() {
        schema.create();
        String user = "u_" + database.dataSource().getCurrentSchema();
        database.jdbc().execute("CREATE ROLE " + user);
        database.jdbc().execute("GRANT USAGE ON SCHEMA " + database.dataSource().getCurrentSchema() + " TO " + user);
        database.jdbc().execute("GRANT SELECT, INSERT, UPDATE ON idem_record TO " + user);
        database.dataSource().setOptions("-c role=" + user);
        try {
            assertThatThrownBy(schema::check)
                    .isInstanceOf(InboxSchemaException.class)
                    .hasMessageContaining("permission denied");
        } finally {
            database.dataSource().setOptions("");
            database.jdbc().execute("DROP OWNED BY " + user);
            database.jdbc().execute("DROP ROLE " + user);
        }
    }

    @Test
    void aTransactionManagerOfAnotherDataSourceIsRefusedAndLeavesNoRow() {
        schema.create();
        try (TestDatabase other = new TestDatabase()) {
            InboxSchema apart = new InboxSchema(database.dataSource(), new JdbcTransactionManager(other.dataSource()));

            assertThatThrownBy(apart::check)
                    .isInstanceOf(InboxSchemaException.class)
                    .hasMessageContaining("does not manage connections of the inbox's data source");
        }
        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void aTransactionManagerWithoutSynchronizationIsRefused() {
        schema.create();
        JdbcTransactionManager silent = new JdbcTransactionManager(database.dataSource());
        silent.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);

        assertThatThrownBy(() -> new InboxSchema(database.dataSource(), silent).check())
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("SYNCHRONIZATION_ALWAYS");
    }
}
