package io.idem.test.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The smallest pool: hands connections out again, and no more of them at a time than it was told. */
public final class ReusedConnections extends DelegatingDataSource implements AutoCloseable {

    private static final int PLENTY = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final Semaphore room;
    private final Duration patience;

    /** With room for plenty. */
    public ReusedConnections(DataSource real) {
        this(real, PLENTY, PATIENCE);
    }

    /** With room for so many at a time; a caller waits for room no longer than its patience. */
    public ReusedConnections(DataSource real, int size, Duration patience) {
        super(real);
        this.patience = patience;
        this.room = new Semaphore(size);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (!isThereRoom()) {
            throw new SQLTransientConnectionException("Connection is not available, request timed out");
        }
        Connection found = idle.poll();
        Connection real = found == null || found.isClosed() ? super.getConnection() : found;
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        giveBack(real);
                        return null;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getTargetException();
                    }
                });
    }

    private boolean isThereRoom() {
        try {
            return room.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void giveBack(Connection real) {
        idle.push(real);
        room.release();
    }

    /** Closes what is idle. */
    @Override
    public void close() {
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            try {
                connection.close();
            } catch (SQLException gone) {
                throw new IllegalStateException(gone);
            }
        }
    }
}
