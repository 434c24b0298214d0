package io.idem.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.PooledConnection;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGPooledConnection;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connections whose sessions are used again: a new session is a new process of the server, which costs more than what most tests
 * do in it. Options that are set here hold for all connections from then on. Does not limit the number of sessions.
 */
final class ReusedSessions extends PGSimpleDataSource {

    private static final long serialVersionUID = 1;
    private static final int SECONDS_TO_ANSWER = 60;

    private final transient Deque<PooledConnection> idle = new ArrayDeque<>();
    private boolean closed;

    /** Returns a connection with auto-commit, whose session is one that answers. */
    @Override
    public Connection getConnection() throws SQLException {
        for (PooledConnection session = takeIdle(); session != null; session = takeIdle()) {
            Connection connection = answering(session);
            if (connection != null) {
                return connection;
            }
        }
        PooledConnection session = new PGPooledConnection(super.getConnection(), true);
        session.addConnectionEventListener(new BackToIdle(session, getOptions()));
        return session.getConnection();
    }

    /** Returns a connection, or null if the session was ended at the server or by its user. */
    private static @Nullable Connection answering(PooledConnection session) throws SQLException {
        try {
            Connection connection = session.getConnection();
            if (connection.isValid(SECONDS_TO_ANSWER)) {
                return connection;
            }
        } catch (SQLException ended) {
            // Another session takes its place.
        }
        session.close();
        return null;
    }

    private synchronized @Nullable PooledConnection takeIdle() {
        return idle.poll();
    }

    private synchronized boolean keeps(PooledConnection session, @Nullable String options) {
        boolean usable = !closed && Objects.equals(options, getOptions());
        if (usable) {
            idle.push(session);
        }
        return usable;
    }

    /** Closes the sessions that are idle; from now on each session is closed with its connection. */
    void closeSessions() throws SQLException {
        synchronized (this) {
            closed = true;
        }
        closeIdle();
    }

    private void closeIdle() throws SQLException {
        for (PooledConnection session = takeIdle(); session != null; session = takeIdle()) {
            session.close();
        }
    }

    /** Ends the sessions that are idle; those in use are closed with their connection. */
    @Override
    public void setOptions(@Nullable String options) {
        super.setOptions(options);
        try {
            closeIdle();
        } catch (SQLException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private final class BackToIdle implements ConnectionEventListener {

        private final PooledConnection session;

        private final @Nullable String options;

        BackToIdle(PooledConnection session, @Nullable String options) {
            this.session = session;
            this.options = options;
        }

        @Override
        public void connectionClosed(ConnectionEvent event) {
            try {
                if (!keeps(session, options)) {
                    session.close();
                }
            } catch (SQLException broken) {
                throw new IllegalStateException(broken);
            }
        }

        /** Leaves it to its user to close the connection; its session is found not to answer then. */
        @Override
        public void connectionErrorOccurred(ConnectionEvent event) {}
    }
}
