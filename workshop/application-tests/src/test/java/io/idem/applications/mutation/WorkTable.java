package io.idem.applications.mutation;

import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The table of one application's work, read by a connection of its own. */
final class WorkTable implements AutoCloseable {

    private final String table;
    private final Connection connection;

    WorkTable(String name) throws SQLException {
        RunningPostgres postgres = SharedServers.postgres();
        this.table = '"' + name + '"';
        this.connection = DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
        execute("create table " + table + " (done text)");
    }

    String table() {
        return table;
    }

    /** Returns the runs whose work is committed. */
    List<String> done() throws SQLException {
        List<String> done = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select done from " + table)) {
            while (rows.next()) {
                done.add(rows.getString(1));
            }
        }
        return done;
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        execute("drop table " + table);
        connection.close();
    }
}
