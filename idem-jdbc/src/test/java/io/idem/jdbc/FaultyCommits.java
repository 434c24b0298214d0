package io.idem.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A data source whose connections break during the commit when told to. */
final class FaultyCommits extends DelegatingDataSource {

    private final AtomicReference<Fault> next = new AtomicReference<>(Fault.NONE);
    private volatile boolean unreachable;

    FaultyCommits(DataSource real) {
        super(real);
    }

    /** Applies a fault to the next commit. */
    void breakNextCommit(Fault fault) {
        next.set(fault);
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
        if (fault == Fault.BEFORE) {
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
        /** The fault before, after which the server cannot be reached either. */
        AND_DATABASE_GONE
    }
}
