package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.servers.junit.RequiresMariaDb;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;

@Tag("extended")
@ExtendWith(OutputCaptureExtension.class)
@RequiresMariaDb
class MariaDbInboxSchemaTest {

    private static final String ASCII = " CHARACTER SET ascii COLLATE ascii_bin NOT NULL";
    private static final String REST = ", fence bigint NOT NULL, owner varbinary(12) NOT NULL DEFAULT '',"
            + " fingerprint varbinary(16) NOT NULL DEFAULT '',"
            + " claimed_at datetime(6) NOT NULL DEFAULT (utc_timestamp(6)), result_codec varchar(32) NOT NULL DEFAULT '',"
            + " outgoing longblob NOT NULL DEFAULT '', relay_at datetime(6) NULL";
    private static final String EXACT = "key_id varchar(22)" + ASCII + ", scope varchar(64)" + ASCII + REST
            + ", result longblob NOT NULL DEFAULT ''";
    private static final String KEY = ", PRIMARY KEY (key_id, scope)";

    private final InboxDatabase database = new MariaDbInboxContractTest().open();
    private final InboxSchema schema =
            new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource()));

    @AfterEach
    void close() {
        database.close();
    }

    private void handMade(String columns) {
        database.jdbc().execute("CREATE TABLE idem_inbox (" + columns);
    }

    private int rows() {
        return database.jdbc()
                .queryForList("SELECT key_id FROM idem_inbox", String.class)
                .size();
    }

    @Test
    void aTableThatWasCreatedPassesTheCheckWhichLeavesNothing() {
        schema.create();

        schema.check();

        assertThat(rows()).isZero();
    }

    @Test
    void instancesThatStartTogetherDoNotHurtEachOther() throws Exception {
        Callable<Boolean> start = () -> {
            schema.create();
            schema.checkAsStore();
            return true;
        };

        ExecutorService instances = Executors.newFixedThreadPool(4);
        try {
            for (Future<Boolean> instance : instances.invokeAll(Collections.nCopies(16, start))) {
                assertThat(instance.get()).isTrue();
            }
        } finally {
            instances.shutdownNow();
        }
    }

    @Test
    void theIndexOnFencesIsRemovedByItsScriptAndNotMadeAgain() {
        schema.create();
        database.jdbc().execute("CREATE INDEX idem_inbox_fence ON idem_inbox (fence)");

        ResourceDatabasePopulator script = new ResourceDatabasePopulator(
                new ClassPathResource("META-INF/idem/sql/removals/mariadb/R__idem_inbox_fence.sql"));
        script.execute(database.dataSource());
        script.execute(database.dataSource());
        schema.create();
        schema.create();

        assertThat(database.jdbc()
                        .queryForList(
                                "SELECT index_name FROM information_schema.statistics"
                                        + " WHERE table_schema = database() AND table_name = 'idem_inbox'",
                                String.class))
                .contains("idem_inbox_claimed_at")
                .doesNotContain("idem_inbox_fence");
    }

    @Test
    void aTableByHandPassesTheCheck() {
        handMade(EXACT + KEY + ") ENGINE = InnoDB");

        assertThatCode(schema::check).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Aria", "MyISAM", "MEMORY"})
    void anEngineWithoutTransactionsIsRefusedAndNoRowStays(String engine) {
        String columns = engine.equals("MEMORY") ? EXACT.replace("longblob", "varbinary(4096)") : EXACT;
        handMade(columns + KEY + ") ENGINE = " + engine);

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("idem_inbox")
                .hasMessageContaining("InnoDB");
        assertThat(rows()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"idem_inbox_failure", "idem_inbox_attempt"})
    void otherTablesOfAnEngineWithoutTransactionsAreRefused(String table) {
        schema.create();
        database.jdbc().execute("ALTER TABLE " + table + " ENGINE = MyISAM");

        assertThatThrownBy(schema::checkAsStore)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining(table)
                .hasMessageContaining("InnoDB");
    }

    @Test
    void aTemporaryTableIsRefused() {
        SingleConnectionDataSource one =
                new SingleConnectionDataSource(DataSourceUtils.getConnection(database.dataSource()), true);
        new JdbcTemplate(one).execute("CREATE TEMPORARY TABLE idem_inbox (" + EXACT + KEY + ") ENGINE = InnoDB");

        assertThatThrownBy(new InboxSchema(one, new JdbcTransactionManager(one))::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("temporary");
        one.destroy();
    }

    @Test
    void aDatabaseThatConfirmsCommitsTooEarlyIsAWarning(CapturedOutput log) {
        String before = database.jdbc().queryForObject("SELECT @@innodb_flush_log_at_trx_commit", String.class);
        schema.create();
        try {
            for (int flush : new int[] {1, 2}) {
                database.jdbc().execute("SET GLOBAL innodb_flush_log_at_trx_commit = " + flush);
                schema.check();
            }
        } finally {
            database.jdbc().execute("SET GLOBAL innodb_flush_log_at_trx_commit = " + before);
        }

        assertThat(log).containsOnlyOnce("innodb_flush_log_at_trx_commit=2").doesNotContain("commit=1)");
    }

    @Test
    void transactionsThatReadWhatIsNotCommittedAreRefused() {
        schema.create();
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(database.dataSource());
            pool.setTransactionIsolation("TRANSACTION_READ_UNCOMMITTED");
            InboxSchema dirty = new InboxSchema(pool, new JdbcTransactionManager(pool));

            assertThatThrownBy(dirty::check)
                    .isInstanceOf(InboxSchemaException.class)
                    .hasMessageContaining("READ COMMITTED or stricter");
        }
    }

    @Test
    void aTableWithoutPrimaryKeyIsRefused() {
        handMade(EXACT + ") ENGINE = InnoDB");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("twice");
    }

    @Test
    void aWiderPrimaryKeyIsRefused() {
        handMade(EXACT + ", PRIMARY KEY (key_id, scope, fence)) ENGINE = InnoDB");

        assertThatThrownBy(schema::check).isInstanceOf(InboxSchemaException.class);
    }

    @Test
    void aCollationThatIgnoresTheCaseIsRefused() {
        handMade("key_id varchar(22) NOT NULL, scope varchar(64) NOT NULL" + REST
                + ", result longblob NOT NULL DEFAULT ''" + KEY
                + ") ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci");

        assertThatThrownBy(schema::check).isInstanceOf(InboxSchemaException.class);
    }

    @Test
    void aColumnThatCutsKeysIsRefused() {
        handMade("key_id varchar(20)" + ASCII + ", scope varchar(64)" + ASCII + REST
                + ", result longblob NOT NULL DEFAULT ''" + KEY + ") ENGINE = InnoDB");

        assertThatThrownBy(schema::check).isInstanceOf(InboxSchemaException.class);
    }

    @Test
    void aColumnThatCutsFencesIsRefused() {
        handMade(EXACT.replace("fence bigint", "fence int") + KEY + ") ENGINE = InnoDB");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("bigint");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "claimed_at datetime(6) NULL",
                "claimed_at datetime(6) DEFAULT (utc_timestamp(6) - INTERVAL 8 HOUR)"
            })
    void aRowThatDoesNotSayWhenItWasMadeIsRefused(String claimedAt) {
        handMade(EXACT.replace("claimed_at datetime(6) NOT NULL DEFAULT (utc_timestamp(6))", claimedAt) + KEY
                + ") ENGINE = InnoDB");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("claimed_at");
    }

    @Test
    void aColumnThatCutsResultsIsRefused() {
        handMade("key_id varchar(22)" + ASCII + ", scope varchar(64)" + ASCII + REST
                + ", result blob NOT NULL DEFAULT ''" + KEY + ") ENGINE = InnoDB");

        assertThatThrownBy(schema::check).isInstanceOf(InboxSchemaException.class);
    }
}
