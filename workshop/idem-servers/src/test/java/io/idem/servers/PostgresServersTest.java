package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PostgresServersTest {

    @Test
    void whatIsCommittedSurvivesAKill() throws SQLException {
        try (RunningPostgres postgres = PostgresServers.start(ServerOptions.own())) {
            execute(postgres, "create table ledger (entry text)");
            execute(postgres, "insert into ledger values ('paid')");
            postgres.kill();
            postgres.start();

            assertThat(query(postgres, "select entry from ledger")).isEqualTo("paid");
            assertThat(query(postgres, "show fsync")).isEqualTo("off");
        }
    }

    @Test
    void keepingDataMeansSyncingIt() throws SQLException {
        ServerOptions options = ServerOptions.own().keepingData().with("application_name", "from settings");
        try (RunningPostgres postgres = PostgresServers.start(options)) {
            postgres.stop();
            postgres.start();

            assertThat(query(postgres, "show fsync")).isEqualTo("on");
            assertThat(query(postgres, "show full_page_writes")).isEqualTo("on");
        }
    }

    @Test
    void aGivenAddressIsTakenAsItIs() {
        Map<String, String> settings = Map.of(
                "IDEM_JDBC_URL", "jdbc:postgresql://db.example/app?sslmode=require",
                "IDEM_JDBC_USER", "app",
                "IDEM_JDBC_PASSWORD", "secret");
        RunningPostgres postgres = PostgresServers.given(
                        new Environment(name -> Optional.ofNullable(settings.get(name))))
                .orElseThrow();

        assertThat(postgres.jdbcUrl()).isEqualTo("jdbc:postgresql://db.example/app?sslmode=require");
        assertThat(postgres.user()).isEqualTo("app");
        assertThat(postgres.password()).isEqualTo("secret");
        assertThat(postgres.toString()).isEqualTo("PostgreSQL at jdbc:postgresql://db.example/app (given)");
    }

    private static void execute(RunningPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(RunningPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    private static Connection connect(RunningPostgres postgres) throws SQLException {
        return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
    }
}
