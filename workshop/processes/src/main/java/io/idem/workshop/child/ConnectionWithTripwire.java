package io.idem.workshop.child;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that passes points before business writes and around commits. Transactions in which idem only keeps steps
 * or leases have no points: the work has written nothing in them. For one thread.
 */
final class ConnectionWithTripwire implements InvocationHandler {

    private static final String INSERT = "INSERT INTO ";
    private static final String RECORDS = "idem_record";

    /** What the statements contain that make a row done work: the claim, and the completion of a lease. */
    private static final String DONE = "state = 2";

    private final Connection connection;
    private final Consumer<Point> pass;
    private boolean attempts;
    private boolean rows;

    private ConnectionWithTripwire(Connection connection, Consumer<Point> pass) {
        this.connection = connection;
        this.pass = pass;
    }

    static Connection of(Connection connection, Consumer<Point> pass) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new ConnectionWithTripwire(connection, pass));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        if (name.equals("commit")) {
            return commit(method);
        }
        if (name.equals("prepareStatement") && arguments != null && arguments[0] instanceof String sql) {
            prepare(sql);
        }
        Object result = call(method, arguments);
        if (name.equals("setAutoCommit") && arguments != null) {
            begin(Boolean.FALSE.equals(arguments[0]));
        }
        return result;
    }

    private void begin(boolean transaction) {
        attempts = false;
        rows = false;
        if (transaction) {
            pass.accept(Point.BEGUN);
        }
    }

    private void prepare(String sql) {
        attempts |= sql.contains(RECORDS) && !sql.contains(DONE);
        rows |= sql.contains(DONE) || (sql.startsWith(INSERT) && !sql.contains(RECORDS));
        if (sql.startsWith(INSERT) && !sql.startsWith(INSERT + "idem_")) {
            pass.accept(Point.WORKING);
        }
    }

    private @Nullable Object commit(Method method) throws Throwable {
        if (attempts && !rows) {
            return call(method, null);
        }
        pass.accept(Point.WORKED);
        Object result = call(method, null);
        pass.accept(Point.COMMITTED);
        return result;
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }
}
