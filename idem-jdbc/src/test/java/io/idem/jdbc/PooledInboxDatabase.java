package io.idem.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A database that the tested classes reach through a pool of connections of the test's own. */
final class PooledInboxDatabase implements InboxDatabase {

    private static final int CONNECTIONS = 12;

    private final InboxDatabase database;
    private final DataSource pool;
    private final Runnable closing;

    private PooledInboxDatabase(InboxDatabase database, DataSource pool, Runnable closing) {
        this.database = database;
        this.pool = pool;
        this.closing = closing;
    }

    /** Opens a HikariCP pool with auto-commit off, which rolls back what was not committed. */
    static InboxDatabase withoutAutoCommit(InboxDatabase database) {
        HikariDataSource pool = poolWithoutAutoCommit(database.dataSource());
        return new PooledInboxDatabase(database, pool, pool::close);
    }

    static HikariDataSource poolWithoutAutoCommit(DataSource connections) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(connections);
        pool.setAutoCommit(false);
        pool.setMinimumIdle(0);
        pool.setMaximumPoolSize(CONNECTIONS);
        return pool;
    }

    /** Opens a pool of transactions, whose connections keep no session of the server between two transactions. */
    static InboxDatabase ofTransactions(InboxDatabase database) {
        TransactionPooling pool = new TransactionPooling(database.dataSource(), CONNECTIONS);
        return new PooledInboxDatabase(database, pool, pool::close);
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
    public void age(int seconds) {
        database.age(seconds);
    }

    @Override
    public void refuseUpdates() {
        database.refuseUpdates();
    }

    @Override
    public void undoFailures(int times) {
        database.undoFailures(times);
    }

    /** Uses the pool inside a transaction; outside, connections of its own, which see only committed rows. */
    @Override
    public JdbcTemplate jdbc() {
        return TransactionSynchronizationManager.isActualTransactionActive() ? new JdbcTemplate(pool) : database.jdbc();
    }

    @Override
    public void close() {
        closing.run();
        database.close();
    }
}
