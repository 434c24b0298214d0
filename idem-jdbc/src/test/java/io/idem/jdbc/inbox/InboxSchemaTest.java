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
import java.util.List;
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
        database.jdbc().update("INSERT INTO idem_inbox (key_id, scope, fence) VALUES ('k', 's', 1)");

        schema.create();

        assertThat(database.inboxRows()).isEqualTo(1);
    }

    @Test
    void creatingAgainDoesNotWaitForWorkUnderWay() throws Exception {
        schema.create();
        try (Connection work = database.dataSource().getConnection();
                Statement claim = work.createStatement()) {
            work.setAutoCommit(false);
            claim.execute("INSERT INTO idem_inbox (key_id, scope, fence) VALUES ('k', 's', 1)");

            // A wait would end with an exception.
            schema.create();
            work.rollback();
        }
    }

    @Test
    void aTableOfTheFirstVersionIsBroughtUpToDateWithItsRows() {
        database.jdbc()
                .execute("CREATE TABLE idem_inbox (key_id varchar(22) COLLATE \"C\" NOT NULL,"
                        + " scope varchar(64) COLLATE \"C\" NOT NULL, fence bigint NOT NULL,"
                        + " claimed_at timestamptz NOT NULL DEFAULT now(), result_codec varchar(32) NOT NULL DEFAULT '',"
                        + " result bytea NOT NULL DEFAULT '', outgoing bytea NOT NULL DEFAULT '',"
                        + " CONSTRAINT idem_inbox_pkey PRIMARY KEY (key_id, scope))");
        database.jdbc().update("INSERT INTO idem_inbox (key_id, scope, fence) VALUES ('k', 's', 1)");
        assertThatThrownBy(schema::check).hasMessageContaining("owner");

        schema.create();

        assertThatCode(schema::check).doesNotThrowAnyException();
        assertThat(database.inboxRows()).isEqualTo(1);
    }

    @Test
    void aMissingTableIsNamed() {
        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("relation \"idem_inbox\" does not exist");
    }

    @Test
    void aTableOfAnotherShapeIsNamed() {
        database.jdbc().execute("CREATE TABLE idem_inbox (key_id text, scope text, fence bigint)");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("column \"owner\"");
    }

    @Test
    void theIndexOnFencesIsRemovedByItsScriptAndNotMadeAgain() {
        schema.create();
        database.jdbc().execute("CREATE INDEX idem_inbox_fence ON idem_inbox (fence)");
        schema.create();
        assertThat(indexes()).contains("idem_inbox_fence");

        runRemoval();
        runRemoval();
        schema.create();
        schema.create();

        assertThat(indexes()).contains("idem_inbox_claimed_at").doesNotContain("idem_inbox_fence");
        assertThatCode(schema::check).doesNotThrowAnyException();
    }

    private void runRemoval() {
        ResourceDatabasePopulator script = new ResourceDatabasePopulator(
                new ClassPathResource("META-INF/idem/sql/removals/postgresql/R__idem_inbox_fence.sql"));
        script.execute(database.dataSource());
    }

    private List<String> indexes() {
        return database.jdbc()
                .queryForList(
                        "SELECT indexname FROM pg_indexes WHERE tablename = 'idem_inbox'"
                                + " AND schemaname = current_schema()",
                        String.class);
    }

    private static final String COLUMNS = "CREATE TABLE idem_inbox (key_id varchar(22), scope varchar(64),"
            + " fence bigint, owner bytea, fingerprint bytea DEFAULT '', claimed_at timestamptz DEFAULT now(),"
            + " result_codec varchar(32) DEFAULT '', result bytea DEFAULT '', outgoing bytea DEFAULT '',"
            + " relay_at timestamptz";

    @Test
    void theCheckLeavesNothing() {
        schema.create();

        schema.check();

        assertThat(database.inboxRows()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"idem_inbox", "idem_inbox_failure", "idem_inbox_attempt"})
    void anUnloggedTableIsRefused(String table) {
        schema.create();
        database.jdbc().execute("ALTER TABLE " + table + " SET UNLOGGED");

        assertThatThrownBy(schema::checkAsStore)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("ALTER TABLE " + table + " SET LOGGED");
        database.jdbc().execute("ALTER TABLE " + table + " SET LOGGED");
        assertThatCode(schema::checkAsStore).doesNotThrowAnyException();
    }

    @Test
    void anUnloggedTableOfStepsIsRefusedForAMethodThatKeepsThem() {
        schema.create();
        database.jdbc().execute("ALTER TABLE idem_inbox_attempt SET UNLOGGED");

        assertThatCode(schema::check).doesNotThrowAnyException();
        assertThatThrownBy(new JdbcInbox(database.dataSource(), new JdbcTransactionManager(database.dataSource()))
                        .lastPhase()
                        .orElseThrow()::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("idem_inbox_attempt");
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
        String partition = " PARTITION OF idem_inbox FOR VALUES WITH (MODULUS 2, REMAINDER ";
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
                .hasMessageContaining("idem_inbox");
    }

    @ParameterizedTest
    @CsvSource({"fence bigint, fence integer", "claimed_at timestamptz DEFAULT now(), claimed_at timestamptz"})
    void aColumnThatCannotTellFencesOrAgesIsRefused(String right, String wrong) {
        database.jdbc().execute(COLUMNS.replace(right, wrong) + ", PRIMARY KEY (key_id, scope))");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("idem_inbox");
    }

    @Test
    void aKeyThatIgnoresTheCaseIsRefused() {
        database.jdbc().execute(COLUMNS + ")");
        database.jdbc().execute("CREATE UNIQUE INDEX exact ON idem_inbox (key_id, scope)");
        database.jdbc().execute("CREATE UNIQUE INDEX sloppy ON idem_inbox (lower(key_id), scope)");

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
        database.jdbc().execute("GRANT SELECT, INSERT, UPDATE ON idem_inbox TO " + user);
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

    @Test
    void cleanUpFindsOldRowsByAnIndex() {
        schema.create();

        assertThat(database.jdbc()
                        .queryForList(
                                "SELECT indexdef FROM pg_indexes WHERE tablename = 'idem_inbox'"
                                        + " AND schemaname = current_schema()",
                                String.class))
                .anySatisfy(definition -> assertThat(definition).endsWith("(claimed_at)"));
    }
}
