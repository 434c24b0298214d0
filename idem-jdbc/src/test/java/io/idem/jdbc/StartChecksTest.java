package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.servers.MariaDbServers;
import io.idem.servers.MySqlServers;
import io.idem.servers.RunningDatabase;
import io.idem.servers.RunningMariaDb;
import io.idem.servers.RunningMySql;
import io.idem.servers.ServerOptions;
import io.idem.servers.SharedServers;
import io.idem.servers.junit.RequiresMariaDb;
import io.idem.servers.junit.RequiresMySql;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The checks at start accept databases on which the store works, and refuse all others with the reason. */
@Tag("servers")
class StartChecksTest {

    private static final ServerOptions LOGGING_STATEMENTS = ServerOptions.own()
            .with("log-bin", "binlog")
            .with("binlog-format", "STATEMENT")
            .with("server-id", "1");

    /** Starts an application with these connections and does everything with its inbox. */
    private static void works(DataSource tested, DataSource witness) throws Exception {
        var unused = new WholeInbox(tested).start();
        new WholeInbox(tested).use(new JdbcTemplate(witness));
    }

    private static void refuses(DataSource tested, String reason) {
        assertThatThrownBy(() -> new WholeInbox(tested).start())
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining(reason);
        assertThatThrownBy(() -> new InboxSchema(tested, new JdbcTransactionManager(tested)).check())
                .as("beside another store")
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining(reason);
    }

    private static HikariDataSource pool(DataSource connections, Consumer<HikariDataSource> settings) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(connections);
        settings.accept(pool);
        return pool;
    }

    /** A database on MariaDB or MySQL with the tables of the inbox. */
    private record Database(RunningDatabase server, String name) {

        static Database on(RunningDatabase server) {
            Database database =
                    new Database(server, "inbox_" + UUID.randomUUID().toString().replace("-", ""));
            new JdbcTemplate(new DriverManagerDataSource(server.jdbcUrl(), server.user(), server.password()))
                    .execute("CREATE DATABASE " + database.name);
            DataSource plain = database.with("");
            new InboxSchema(plain, new JdbcTransactionManager(plain)).create();
            return database;
        }

        DataSource with(String options) {
            return new DriverManagerDataSource(server.jdbcUrl() + name + options, server.user(), server.password());
        }

        void worksWith(String options) throws Exception {
            works(with(options), with(""));
        }

        void refusesWith(String options, String reason) {
            refuses(with(options), reason);
        }
    }

    @Nested
    @Tag("extended")
    @RequiresMariaDb
    class OnMariaDb {

        private final RunningMariaDb shared = SharedServers.mariaDb().orElseThrow();

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "?useServerPrepStmts=true&cachePrepStmts=true",
                    "?useBulkStmts=true&useServerPrepStmts=true&useAffectedRows=true",
                    "?sessionVariables=sql_mode=''",
                    "?sessionVariables=sql_mode='ORACLE'",
                    "?sessionVariables=sql_mode='ANSI,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH'",
                    "?sessionVariables=sql_safe_updates=1,time_zone='-08:00'"
                })
        void connectionsOfManyKindsWork(String options) throws Exception {
            Database.on(shared).worksWith(options);
        }

        @Test
        void emptyTextsThatAreNullAreTheReasonAndAnotherModeIsTheRemedy() throws Exception {
            Database database = Database.on(shared);

            database.refusesWith("?sessionVariables=sql_mode='EMPTY_STRING_IS_NULL'", "EMPTY_STRING_IS_NULL");
            database.worksWith("?sessionVariables=sql_mode='STRICT_TRANS_TABLES'");
        }

        @Test
        void tablesAreNotMadeWhereEmptyTextsAreNull() {
            DataSource odd = Database.on(shared).with("?sessionVariables=sql_mode='ORACLE,EMPTY_STRING_IS_NULL'");

            assertThatThrownBy(() -> new InboxSchema(odd, new JdbcTransactionManager(odd)).create())
                    .isInstanceOf(InboxSchemaException.class)
                    .hasMessageContaining("EMPTY_STRING_IS_NULL");
        }

        @Test
        void aLogOfStatementsIsRefusedAndOneOfRowsIsTheRemedy() throws Exception {
            try (RunningMariaDb logging = MariaDbServers.start(LOGGING_STATEMENTS)) {
                refusesStatementsAndAcceptsRows(Database.on(logging));
            }
        }
    }

    private static void refusesStatementsAndAcceptsRows(Database database) throws Exception {
        database.refusesWith("", "BINLOG_FORMAT = STATEMENT");
        database.worksWith("?sessionVariables=binlog_format='MIXED'");
        database.worksWith("?sessionVariables=binlog_format='ROW'");
    }

    @Nested
    @Tag("extended")
    @RequiresMySql
    class OnMySql {

        private final RunningMySql shared = SharedServers.mySql().orElseThrow();

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "?useServerPrepStmts=true",
                    "?useServerPrepStmts=true&cachePrepStmts=true&rewriteBatchedStatements=true&useAffectedRows=true",
                    "?useCursorFetch=true&defaultFetchSize=10",
                    "?useServerPrepStmts=true&sessionVariables=sql_mode=''",
                    "?useServerPrepStmts=true&sessionVariables=sql_mode='ANSI,NO_BACKSLASH_ESCAPES'",
                    "?sessionVariables=sql_safe_updates=1,time_zone='-08:00'"
                })
        void connectionsOfManyKindsWork(String options) throws Exception {
            Database.on(shared).worksWith(options);
        }

        @Test
        void poolsOfManyKindsWork() throws Exception {
            Database database = Database.on(shared);
            DataSource prepared = database.with("?useServerPrepStmts=true");
            try (HikariDataSource pool = pool(prepared, settings -> settings.setAutoCommit(false))) {
                works(pool, database.with(""));
            }
            try (HikariDataSource pool =
                    pool(prepared, settings -> settings.setTransactionIsolation("TRANSACTION_SERIALIZABLE"))) {
                works(pool, database.with(""));
            }
        }

        @Test
        void aPoolThatOnlyReadsIsRefused() {
            try (HikariDataSource pool = pool(Database.on(shared).with(""), settings -> settings.setReadOnly(true))) {
                refuses(pool, "read-only");
            }
        }

        @Test
        void aLogOfStatementsIsRefusedAndOneOfRowsIsTheRemedy() throws Exception {
            try (RunningMySql logging = MySqlServers.start(LOGGING_STATEMENTS)) {
                refusesStatementsAndAcceptsRows(Database.on(logging));
            }
        }
    }

    @Nested
    class OnPostgres {

        @ParameterizedTest
        @ValueSource(strings = {"SERIALIZABLE", "REPEATABLE_READ"})
        void aPoolWithAStricterLevelWorks(String level) throws Exception {
            try (TestDatabase database = new TestDatabase();
                    HikariDataSource pool = pool(
                            database.dataSource(),
                            settings -> settings.setTransactionIsolation("TRANSACTION_" + level))) {
                created(database);
                works(pool, database.dataSource());
            }
        }

        @Test
        void aProxyThatPoolsTransactionsWorks() throws Exception {
            try (TestDatabase database = new TestDatabase();
                    TransactionPooling pool = new TransactionPooling(database.dataSource(), 3)) {
                created(database);
                works(pool, database.dataSource());
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"INSERT ON idem_record", "DELETE ON idem_record", "UPDATE ON idem_record"})
        void aMissingRightOnOneTableIsRefused(String right) {
            try (TestDatabase database = new TestDatabase()) {
                created(database);
                String schema = database.dataSource().getCurrentSchema();
                database.jdbc().execute("CREATE ROLE u_" + schema);
                database.jdbc().execute("GRANT USAGE ON SCHEMA " + schema + " TO u_" + schema);
                database.jdbc()
                        .execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema + " TO u_"
                                + schema);
                database.jdbc().execute("REVOKE " + right + " FROM u_" + schema);
                database.dataSource().setOptions("-c role=u_" + schema);
                try {
                    assertThatThrownBy(() -> new WholeInbox(database.dataSource()).start())
                            .isInstanceOf(InboxSchemaException.class)
                            .hasMessageContaining("permission denied");
                } finally {
                    database.dataSource().setOptions("");
                    database.jdbc().execute("DROP OWNED BY u_" + schema);
                    database.jdbc().execute("DROP ROLE u_" + schema);
                }
            }
        }

        private static void created(TestDatabase database) {
            new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource())).create();
        }
    }
}
