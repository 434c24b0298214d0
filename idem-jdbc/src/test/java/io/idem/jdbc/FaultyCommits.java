package io.idem.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A data source whose connections break during the commit when told to. */
final class FaultyCommits extends DelegatingDataSource {

    private final AtomicReference<Fault> next = new AtomicReference<>(Fault.NONE);
    private final Queue<Connection> hanging = new ConcurrentLinkedQueue<>();
    private volatile boolean unreachable;

    FaultyCommits(DataSource real) {
        super(real);
    }

    /** Applies a fault to the next commit. */
    void breakNextCommit(Fault fault) {
        next.set(fault);
    }

    /** Lets the commit that {@linkplain Fault#HANGS hangs} arrive. */
    void arrive() throws SQLException {
        try (Connection arrived = hanging.remove()) {
            arrived.commit();
        }
    }

    /** Ends the session whose commit hangs. */
    void end() throws SQLException {
        hanging.remove().abort(Runnable::run);
    }

    boolean hangs() {
        return !hanging.isEmpty();
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (unreachable) {
            throw new SQLException("connection refused", "08001");
        }
        Connection real = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        breakBefore(real);
                    }
                    if (hanging.contains(real)) {
                        return null;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getTargetException();
                    }
                });
    }

    private void breakBefore(Connection real) throws SQLException {
        Fault fault = next.getAndSet(Fault.NONE);
        if (fault == Fault.NONE) {
            return;
        }
        if (fault == Fault.HANGS) {
            hanging.add(real);
        } else if (fault == Fault.BEFORE) {
            real.abort(Runnable::run);
        } else {
            real.commit();
        }
        unreachable = fault == Fault.AND_DATABASE_GONE;
        throw new SQLException("An I/O error occurred while sending to the backend.", "08006");
    }

    enum Fault {
        NONE,
        /** The server never sees the commit. */
        BEFORE,
        /** The server commits, its answer is lost. */
        AFTER,
        /** The server has not seen the commit yet, and the session lives. */
        HANGS,
        /** The fault AFTER, and then the server cannot be reached either. */
        AND_DATABASE_GONE
    }
}
