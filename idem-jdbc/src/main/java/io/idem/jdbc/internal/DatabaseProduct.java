package io.idem.jdbc.internal;

import io.idem.jdbc.InboxSchemaException;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Finds out the database behind a data source. */
public final class DatabaseProduct {

    private static final int OLDEST_MYSQL = 8;

    private DatabaseProduct() {}

    public static String of(DataSource dataSource) {
        return behind(dataSource).product();
    }

    /** Returns whether a data source, or one that it wraps, chooses one of several for each connection. Connects to none. */
    public static boolean isChosenByCaller(DataSource dataSource) {
        try {
            return dataSource.isWrapperFor(AbstractRoutingDataSource.class);
        } catch (SQLException | RuntimeException unknown) {
            return false;
        }
    }

    /** Asks a target of a data source that may lead nowhere on the thread of the start. */
    private static Database behind(DataSource dataSource) {
        ConnectionCallback<Database> question = connection -> Database.of(connection.getMetaData());
        return Objects.requireNonNull(new JdbcTemplate(target(dataSource)).execute(question));
    }

    private static DataSource target(DataSource dataSource) {
        try {
            return dataSource.unwrap(AbstractRoutingDataSource.class).getResolvedDataSources().values().stream()
                    .findFirst()
                    .orElse(dataSource);
        } catch (SQLException | RuntimeException noTargets) {
            return dataSource;
        }
    }

    /**
     * Returns the inbox's statements for the database; connects.
     *
     * @throws InboxSchemaException if the inbox does not support the database
     */
    public static InboxDialect dialect(DataSource dataSource) {
        Database database = behind(dataSource);
        List<InboxDialect> known = InboxDialect.ALL;
        InboxDialect dialect = known.stream()
                .filter(candidate -> candidate.product().equals(database.product()))
                .findFirst()
                .orElseThrow(() -> new InboxSchemaException("The inbox needs "
                        + known.stream().map(InboxDialect::product).collect(Collectors.joining(" or "))
                        + ", and the data source leads to " + database.product()));
        if (dialect.equals(InboxDialect.MYSQL)) {
            refuseOthersThanMySql8(database);
        }
        return dialect.with(
                dialect.equals(InboxDialect.POSTGRESQL) ? TableNames.quoted(dataSource) : TableNames.of(dataSource));
    }

    private static void refuseOthersThanMySql8(Database database) {
        if (database.version().contains("MariaDB")) {
            throw new InboxSchemaException("The data source leads to MariaDB " + database.version()
                    + " by the driver of MySQL, which refuses the inbox's statements there. Use the driver"
                    + " org.mariadb.jdbc:mariadb-java-client and a URL that begins with jdbc:mariadb:");
        }
        if (database.major() < OLDEST_MYSQL) {
            throw new InboxSchemaException(
                    "The inbox needs MySQL 8.0.13 or newer, and the data source leads to MySQL " + database.version());
        }
    }

    /**
     * The database as its driver reports it.
     *
     * @param version the full version, which begins with the major one for MySQL
     */
    private record Database(String product, String version, int major) {

        static Database of(DatabaseMetaData words) throws SQLException {
            return new Database(
                    String.valueOf(words.getDatabaseProductName()),
                    String.valueOf(words.getDatabaseProductVersion()),
                    words.getDatabaseMajorVersion());
        }
    }
}
