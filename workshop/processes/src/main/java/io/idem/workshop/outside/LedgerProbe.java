package io.idem.workshop.outside;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Counts effects in the witness tables with JDBC. Thread-safe. */
public final class LedgerProbe implements AutoCloseable {

    private final Connection connection;

    public LedgerProbe(String jdbcUrl, String user, String password) {
        try {
            connection = DriverManager.getConnection(jdbcUrl, user, password);
        } catch (SQLException e) {
            throw new IllegalStateException("The ledger cannot be read", e);
        }
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
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
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
