package io.idem.benchmarks.database;

import io.idem.servers.PostgresServers;
import io.idem.servers.RunningPostgres;
import io.idem.servers.ServerOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/**
 * A PostgreSQL that syncs to disk, with one database for each way, so that ways are counted apart. Not thread-safe.
 */
final class Postgres implements AutoCloseable {

    /** The pool's own limit, in milliseconds, after which it tests an idle connection. */
    private static final String TEST_AFTER = "com.zaxxer.hikari.aliveBypassWindowMs";

    static {
        // A test of a connection is a commit and a round trip that no message has asked for.
        System.setProperty(TEST_AFTER, "3600000");
    }

    private final RunningPostgres server;
    private int databases;

    Postgres(Map<String, String> settings) {
        ServerOptions options = ServerOptions.own().keepingData();
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            options = options.with(setting.getKey(), setting.getValue());
        }
        this.server = PostgresServers.start(options);
    }

    /** Returns the process of the server, whose descendants serve the connections. */
    long pid() {
        return server.pid().orElseThrow();
    }

    /** Creates an empty database. */
    WayDatabase database() throws SQLException {
        String name = "way" + ++databases;
        execute("CREATE DATABASE " + name);
        return new WayDatabase(this, server.jdbcUrl().replaceFirst("/postgres$", "/" + name), name, server.user());
    }

    /** Returns the number of commits of a database, as far as its connections have told the server. */
    long commits(String database) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(
                        "SELECT xact_commit FROM pg_stat_database WHERE datname = '" + database + "'")) {
            found.next();
            return found.getLong(1);
        }
    }

    /** Switches the automatic vacuum on or off. A vacuum that has begun goes on. */
    void vacuum(boolean automatic) throws SQLException {
        execute(automatic ? "ALTER SYSTEM RESET autovacuum" : "ALTER SYSTEM SET autovacuum = off");
        execute("SELECT pg_reload_conf()");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
    }

    @Override
    public void close() {
        server.close();
    }
}
