package io.idem.jdbc;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * Connections as of a pgbouncer that pools transactions: a connection has a session of the server to itself for one
 * transaction, and gets the next session for the following one. A statement outside a transaction is one of its own.
 */
public final class TransactionPooling extends DelegatingDataSource implements AutoCloseable {

    private static final Set<String> BEGINS = Set.of("createStatement", "prepareStatement", "prepareCall");

    private final List<Connection> sessions = new ArrayList<>();
    private final BlockingQueue<Connection> free = new LinkedBlockingQueue<>();

    public TransactionPooling(DataSource real, int sessions) {
        super(real);
        try {
            for (int session = 0; session < sessions; session++) {
                this.sessions.add(real.getConnection());
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        free.addAll(this.sessions);
    }

    @Override
    public Connection getConnection() {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, new Client()::invoke);
    }

    @Override
    public void close() {
        sessions.forEach(JdbcUtils::closeConnection);
    }

    /** One connection of the tested code. It keeps its own settings and applies them to each session that it gets. */
    private final class Client {

        private @Nullable Connection session;
        private boolean autoCommit = true;
        private int isolation = Connection.TRANSACTION_READ_COMMITTED;
        private boolean closed;

        private @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            return switch (method.getName()) {
                case "close" -> {
                    closed = true;
                    yield release();
                }
                case "isClosed" -> closed;
                case "getAutoCommit" -> autoCommit;
                case "setAutoCommit" -> {
                    autoCommit = (boolean) requireNonNull(arguments)[0];
                    yield release();
                }
                case "getTransactionIsolation" -> isolation;
                case "setTransactionIsolation" -> {
                    isolation = (int) requireNonNull(arguments)[0];
                    yield release();
                }
                case "commit", "rollback" -> ended(method, arguments);
                default -> call(session(BEGINS.contains(method.getName())), method, arguments);
            };
        }

        private @Nullable Object ended(Method method, Object @Nullable [] arguments) throws Throwable {
            boolean whole = arguments == null || arguments.length == 0;
            Object answer = session == null && whole ? null : call(session(false), method, arguments);
            if (whole) {
                release();
            }
            return answer;
        }

        private Connection session(boolean another) throws SQLException, InterruptedException {
            if (another && autoCommit) {
                release();
            }
            if (session == null) {
                session = free.take();
                session.setTransactionIsolation(isolation);
                session.setAutoCommit(autoCommit);
            }
            return session;
        }

        private @Nullable Object release() throws SQLException {
            if (session != null) {
                Connection last = session;
                session = null;
                if (!last.isClosed() && !last.getAutoCommit()) {
                    last.rollback();
                }
                free.add(last);
            }
            return null;
        }

        private @Nullable Object call(Connection session, Method method, Object @Nullable [] arguments)
                throws Throwable {
            try {
                return method.invoke(session, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getTargetException();
            }
        }
    }
}
