package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MySqlServersTest {

    @Test
    void aGivenAddressIsTakenAsItIs() {
        Map<String, String> settings = Map.of(
                "IDEM_MYSQL_URL", "jdbc:mysql://db.example/app?sslMode=REQUIRED",
                "IDEM_MYSQL_USER", "app",
                "IDEM_MYSQL_PASSWORD", "secret");
        RunningMySql mySql = MySqlServers.given(new Environment(name -> Optional.ofNullable(settings.get(name))))
                .orElseThrow();

        assertThat(mySql.jdbcUrl()).isEqualTo("jdbc:mysql://db.example/app?sslMode=REQUIRED");
        assertThat(mySql.user()).isEqualTo("app");
        assertThat(mySql.password()).isEqualTo("secret");
        assertThat(mySql.toString()).isEqualTo("MySQL at jdbc:mysql://db.example/app (given)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mysqld  Ver 8.0.31 for Linux on x86_64 (MySQL Community Server - GPL) | 8",
                "mysqld  Ver 10.11.6-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 | 0",
                "mysqld: error while loading shared libraries: libaio.so.1: cannot open shared object file | 0"
            })
    void onlyAMySqlThatRunsReportsAVersion(String output, int major) {
        assertThat(MySqlVersion.parse(output).major()).isEqualTo(major);
    }
}
