package io.idem.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A database behind a HikariCP pool with auto-commit off, which rolls back what nobody has committed. */
final class PoolWithoutAutoCommit implements InboxDatabase {

    private static final int CONNECTIONS = 12;

    private final InboxDatabase database;
    private final HikariDataSource pool;

    PoolWithoutAutoCommit(InboxDatabase database) {
        this.database = database;
        this.pool = pool(database.dataSource());
    }

    /** Such a pool of connections of the given source. */
    static HikariDataSource pool(DataSource connections) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(connections);
        pool.setAutoCommit(false);
        pool.setMinimumIdle(0);
        pool.setMaximumPoolSize(CONNECTIONS);
        return pool;
    }

    @Override
    public URI server() {
        return database.server();
    }

    @Override
    public DataSource dataSource() {
        return pool;
    }

    @Override
    public DataSource dataSourceAt(String host, int port) {
        return database.dataSourceAt(host, port);
    }

    @Override
    public DataSource impatientDataSource() {
        return database.impatientDataSource();
    }

    @Override
    public int waiting() {
        return database.waiting();
    }

    @Override
    public String earlierClaim() {
        return database.earlierClaim();
    }

    @Override
    public void age(int seconds) {
        database.age(seconds);
    }

    @Override
    public void refuseUpdates() {
        database.refuseUpdates();
    }

    /** Uses the pool inside a transaction; outside, connections of its own, which see only committed rows. */
    @Override
    public JdbcTemplate jdbc() {
        return TransactionSynchronizationManager.isActualTransactionActive() ? new JdbcTemplate(pool) : database.jdbc();
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
