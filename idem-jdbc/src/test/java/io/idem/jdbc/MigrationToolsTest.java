package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.store.RecordSchema;
import io.idem.servers.junit.RequiresMariaDb;
import io.idem.servers.junit.RequiresMySql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import javax.sql.DataSource;
import liquibase.Liquibase;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.CompositeResourceAccessor;
import liquibase.resource.DirectoryResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The files of the jar, run by the tools that applications migrate with, beside migrations of the application's own. */
@Tag("servers")
class MigrationToolsTest {

    @TempDir
    private Path application;

    private static void assertSuitableForTheInbox(DataSource dataSource) {
        InboxSchema schema = new InboxSchema(dataSource, new JdbcTransactionManager(dataSource));
        assertThatCode(schema::check).doesNotThrowAnyException();
    }

    /** Returns the Flyway of an application that had tables before it used Flyway. */
    private Flyway flyway(DataSource dataSource, String files) throws IOException {
        for (int version = 1; version <= 4; version++) {
            Files.writeString(
                    application.resolve("V" + version + "__own.sql"),
                    "CREATE TABLE own_" + version + " (id integer PRIMARY KEY);");
        }
        Flyway flyway = Flyway.configure()
                .dataSource(dataSource)
                .locations("filesystem:" + application, "classpath:META-INF/idem/sql/" + files)
                .baselineVersion("0")
                .load();
        flyway.baseline();
        return flyway;
    }

    private void update(DataSource dataSource, String... files) throws Exception {
        StringBuilder changes = new StringBuilder("databaseChangeLog:\n");
        for (String file : files) {
            changes.append("  - include:\n      file: META-INF/idem/sql/")
                    .append(file)
                    .append('\n');
        }
        Files.writeString(application.resolve("changelog.yaml"), changes);
        try (Connection connection = dataSource.getConnection();
                Liquibase liquibase = new Liquibase(
                        "changelog.yaml",
                        new CompositeResourceAccessor(
                                new DirectoryResourceAccessor(application),
                                new ClassLoaderResourceAccessor(getClass().getClassLoader())),
                        DatabaseFactory.getInstance()
                                .findCorrectDatabaseImplementation(new JdbcConnection(connection)))) {
            liquibase.update("");
        }
    }

    @Test
    void flywayRunsTheFilesBesideTheApplicationsOwnVersionsAndOnce() throws Exception {
        try (TestDatabase database = new TestDatabase()) {
            Flyway flyway = flyway(database.dataSource(), "postgresql");

            assertThat(flyway.migrate().migrationsExecuted).isEqualTo(5);
            assertThat(flyway.migrate().migrationsExecuted).isZero();

            assertSuitableForTheInbox(database.dataSource());
            assertThatCode(new RecordSchema(database.dataSource())::check).doesNotThrowAnyException();
        }
    }

    @Test
    void flywayRunsTheFileBesideThatOfAnEarlierVersionOnceItsHistoryIsRepaired() throws Exception {
        try (TestDatabase database = new TestDatabase()) {
            Path former = Files.writeString(application.resolve("R__idem_inbox.sql"), "SELECT 1;");
            flyway(database.dataSource(), "removals/none").migrate();
            Files.delete(former);
            Flyway flyway = flyway(database.dataSource(), "postgresql");
            assertThatThrownBy(flyway::migrate).hasMessageContaining("repair");

            flyway.repair();
            flyway.migrate();

            assertSuitableForTheInbox(database.dataSource());
        }
    }

    @Test
    void liquibaseIncludesTheFilesAndRunsThemAgainWithoutHarm() throws Exception {
        try (TestDatabase database = new TestDatabase()) {
            for (int start = 0; start < 2; start++) {
                update(database.dataSource(), "postgresql/R__idem.sql");
            }

            assertThat(database.count("SELECT count(*) FROM databasechangelog")).isOne();
            assertSuitableForTheInbox(database.dataSource());
            assertThatCode(new RecordSchema(database.dataSource())::check).doesNotThrowAnyException();
        }
    }

    @Nested
    @Tag("extended")
    @RequiresMariaDb
    class OnMariaDb {

        @Test
        void flywayRunsTheFileBesideTheApplicationsOwnVersions() throws Exception {
            try (InboxDatabase database = new MariaDbInboxContractTest().open()) {
                assertThat(flyway(database.dataSource(), "mariadb").migrate().migrationsExecuted)
                        .isEqualTo(5);

                assertSuitableForTheInbox(database.dataSource());
            }
        }

        @Test
        void liquibaseIncludesTheFile() throws Exception {
            try (InboxDatabase database = new MariaDbInboxContractTest().open()) {
                update(database.dataSource(), "mariadb/R__idem.sql");

                assertSuitableForTheInbox(database.dataSource());
            }
        }
    }

    @Nested
    @Tag("extended")
    @RequiresMySql
    class OnMySql {

        @Test
        void flywayRunsTheFileBesideTheApplicationsOwnVersions() throws Exception {
            try (InboxDatabase database = new MySqlInboxContractTest().open()) {
                assertThat(flyway(database.dataSource(), "mysql").migrate().migrationsExecuted)
                        .isEqualTo(5);

                assertSuitableForTheInbox(database.dataSource());
            }
        }

        @Test
        void liquibaseIncludesTheFile() throws Exception {
            try (InboxDatabase database = new MySqlInboxContractTest().open()) {
                update(database.dataSource(), "mysql/R__idem.sql");

                assertSuitableForTheInbox(database.dataSource());
            }
        }
    }
}
