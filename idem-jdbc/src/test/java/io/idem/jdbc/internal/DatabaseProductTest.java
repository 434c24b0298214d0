package io.idem.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.idem.jdbc.InboxSchemaException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseProductTest {

    @ParameterizedTest
    @CsvSource({"PostgreSQL, 18.6, 18", "MariaDB, 11.4.5-MariaDB, 11", "MySQL, 8.0.31, 8", "MySQL, 9.4.0, 9"})
    void everyKnownDatabaseHasItsScript(String product, String version, int major) throws SQLException {
        InboxDialect dialect = DatabaseProduct.dialect(leadingTo(product, version, major));

        assertThat(dialect.product()).isEqualTo(product);
        assertThat(getClass().getClassLoader().getResource(dialect.script())).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"Oracle, 23.0, 23", "Microsoft SQL Server, 16.00, 16", "H2, 2.4, 2"})
    void anotherDatabaseIsRefusedByName(String product, String version, int major) throws SQLException {
        DataSource dataSource = leadingTo(product, version, major);

        assertThatThrownBy(() -> DatabaseProduct.dialect(dataSource))
                .isInstanceOf(InboxSchemaException.class)
                .hasMessage("The inbox needs PostgreSQL or MariaDB or MySQL, and the data source leads to " + product);
    }

    @Test
    void aMySqlThatIsTooOldIsRefusedWithItsVersion() throws SQLException {
        DataSource dataSource = leadingTo("MySQL", "5.7.44-log", 5);

        assertThatThrownBy(() -> DatabaseProduct.dialect(dataSource))
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("8.0.13")
                .hasMessageContaining("5.7.44-log");
    }

    @Test
    void mariaDbByTheDriverOfMySqlIsRefusedWithTheRightDriver() throws SQLException {
        DataSource dataSource = leadingTo("MySQL", "11.4.5-MariaDB-log", 11);

        assertThatThrownBy(() -> DatabaseProduct.dialect(dataSource))
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("mariadb-java-client");
    }

    private static DataSource leadingTo(String product, String version, int major) throws SQLException {
        DatabaseMetaData words = mock();
        when(words.getDatabaseProductName()).thenReturn(product);
        when(words.getDatabaseProductVersion()).thenReturn(version);
        when(words.getDatabaseMajorVersion()).thenReturn(major);
        Connection connection = mock();
        when(connection.getMetaData()).thenReturn(words);
        DataSource dataSource = mock();
        when(dataSource.getConnection()).thenReturn(connection);
        return dataSource;
    }
}
