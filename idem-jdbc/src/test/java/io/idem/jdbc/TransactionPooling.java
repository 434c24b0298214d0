package io.idem.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Connections as of a pgbouncer that pools transactions: whatever is not one transaction goes to another session of the server. */
public final class TransactionPooling extends DelegatingDataSource implements AutoCloseable {

    private static final int SESSIONS = 3;

    private final List<Connection> sessions = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    public TransactionPooling(DataSource real) throws SQLException {
        super(real);
        for (int session = 0; session < SESSIONS; session++) {
            sessions.add(real.getConnection());
        }
    }

    @Override
    public Connection getConnection() {
        AtomicInteger current = new AtomicInteger(next.getAndIncrement() % SESSIONS);
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    Connection session = sessions.get(current.get());
                    if (session.getAutoCommit()
                            && method.getName().matches("createStatement|prepareStatement|setAutoCommit")) {
                        session = sessions.get(current.updateAndGet(last -> (last + 1) % SESSIONS));
                    }
                    try {
                        return method.invoke(session, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getTargetException();
                    }
                });
    }

    @Override
    public void close() throws SQLException {
        for (Connection session : sessions) {
            session.close();
        }
    }
}
