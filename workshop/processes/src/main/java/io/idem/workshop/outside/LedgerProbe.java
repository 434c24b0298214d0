package io.idem.workshop.outside;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts effects in the witness tables with JDBC. Thread-safe. Connects again if the database was restarted and accepts
 * clients.
 */
public final class LedgerProbe implements AutoCloseable {

    /** First two characters of the SQLState of a lost connection, and of a server that ends. */
    private static final List<String> CONNECTION_LOST = List.of("08", "57");

    private final String jdbcUrl;
    private final String user;
    private final String password;
    private Connection connection;

    public LedgerProbe(String jdbcUrl, String user, String password) {
        this.jdbcUrl = jdbcUrl;
        this.user = user;
        this.password = password;
        try {
            connection = connect();
        } catch (SQLException e) {
            throw new IllegalStateException("The ledger cannot be read", e);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl, user, password);
    }

    /** Returns the number of rows of a table for a client's key. */
    public int rows(String table, String tenant, String key) {
        String sql = "SELECT count(*) FROM " + table + " WHERE tenant = ? AND idempotency_key = ?";
        return Integer.parseInt(select(sql, tenant, key).get(0));
    }

    /** Returns the keys of the ledger that start with a prefix, one entry for each row. */
    public List<String> keysStartingWith(String prefix) {
        return select("SELECT idempotency_key FROM ledger WHERE starts_with(idempotency_key, ?)", prefix);
    }

    /** Runs a query and returns the first column. */
    public synchronized List<String> select(String sql, String... parameters) {
        try {
            return selected(sql, parameters);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private List<String> selected(String sql, String... parameters) throws SQLException {
        try {
            return selectedOnce(sql, parameters);
        } catch (SQLException e) {
            if (CONNECTION_LOST.stream().noneMatch(String.valueOf(e.getSQLState())::startsWith)) {
                throw e;
            }
            connection = connect();
            return selectedOnce(sql, parameters);
        }
    }

    private List<String> selectedOnce(String sql, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int index = 0; index < parameters.length; index++) {
                statement.setString(index + 1, parameters[index]);
            }
            List<String> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
            return List.copyOf(found);
        }
    }

    /** Runs a statement that changes data. */
    public synchronized void execute(String sql) {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("The connection to the ledger cannot be closed", e);
        }
    }
}
