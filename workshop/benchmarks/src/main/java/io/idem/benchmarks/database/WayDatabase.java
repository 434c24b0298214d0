package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The database of one way.
 *
 * @param url the address
 * @param name the name on the server
 * @param user a user who may create tables; the server asks for no password
 */
record WayDatabase(Postgres server, String url, String name, String user) {

    /** The size of every pool: a connection for each caller, and some for threads of the library. */
    private static final int POOL = 12;

    /**
     * The pool's setting for connections that are never tested or replaced: either is a round trip that no message has
     * asked for, and would come to connections that are idle for minutes.
     */
    private static final long NEVER = 0;

    private static final int WINDOWS = 3;

    private static final Comparator<Counts> FEWEST =
            Comparator.comparingDouble(Counts::commits).thenComparingDouble(Counts::roundTrips);

    HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(countedUrl());
        config.setUsername(user);
        config.setMaximumPoolSize(POOL);
        config.setKeepaliveTime(NEVER);
        config.setMaxLifetime(NEVER);
        return new HikariDataSource(config);
    }

    /** Returns the Spring settings of a pool as {@link #pool()} opens it. */
    Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("spring.datasource.url", countedUrl());
        settings.put("spring.datasource.username", user);
        settings.put("spring.datasource.hikari.maximum-pool-size", POOL);
        settings.put("spring.datasource.hikari.keepalive-time", NEVER);
        settings.put("spring.datasource.hikari.max-lifetime", NEVER);
        return settings;
    }

    private String countedUrl() {
        return url + "?socketFactory=" + CountedSockets.class.getName() + "&socketFactoryArg=" + name;
    }

    /** A series of messages whose commits and round trips are counted. */
    interface Messages {

        /** Handles messages and returns how many. */
        long handle() throws Exception;
    }

    /**
     * Returns commits and round trips per message. The server vacuums nothing meanwhile, because a vacuum commits too.
     * Of three series the one with the fewest commits counts, because a vacuum that has begun goes on.
     */
    Counts count(List<HikariDataSource> pools, Messages messages) throws Exception {
        server.vacuum(false);
        try {
            List<Counts> series = new ArrayList<>();
            for (int window = 0; window < WINDOWS; window++) {
                series.add(countOnce(pools, messages));
            }
            return Collections.min(series, FEWEST);
        } finally {
            server.vacuum(true);
        }
    }

    private Counts countOnce(List<HikariDataSource> pools, Messages messages) throws Exception {
        flush(pools);
        long commits = server.commits(name);
        long trips = CountedSockets.writes(name);
        double handled = messages.handle();
        double madeTrips = CountedSockets.writes(name) - trips;
        flush(pools);
        return new Counts((server.commits(name) - commits) / handled, madeTrips / handled);
    }

    /** Makes the server count what all connections have done so far. */
    private static void flush(List<HikariDataSource> pools) throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            for (HikariDataSource pool : pools) {
                for (int number = 0; number < pool.getMaximumPoolSize(); number++) {
                    all.add(pool.getConnection());
                }
            }
            for (Connection connection : all) {
                flush(connection);
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }

    /**
     * Reads a table, because a connection that has read none since its last report makes no further one. Rolls back, so
     * that the report itself is no commit.
     */
    private static void flush(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_stat_force_next_flush() FROM pg_class LIMIT 1");
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** Returns the share of a table's updates that changed no index (HOT), in percent, since the table was created. */
    double hotShare(List<HikariDataSource> pools, String table) throws SQLException {
        flush(pools);
        try (Connection connection = pools.get(0).getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(
                        "SELECT 100.0 * n_tup_hot_upd / n_tup_upd FROM pg_stat_user_tables WHERE relname = '" + table
                                + "'")) {
            if (!found.next()) {
                throw new SQLException("No table " + table);
            }
            return found.getDouble(1);
        }
    }
}
