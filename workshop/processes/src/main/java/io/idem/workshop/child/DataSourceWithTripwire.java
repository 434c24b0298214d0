package io.idem.workshop.child;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The data source of the application, with a tripwire before business writes and around commits. */
final class DataSourceWithTripwire extends DelegatingDataSource {

    private final Tripwire tripwire;
    private final CurrentRecord current;

    DataSourceWithTripwire(DataSource target, Tripwire tripwire, CurrentRecord current) {
        super(target);
        this.tripwire = tripwire;
        this.current = current;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        InvocationHandler handler = (proxy, method, arguments) -> call(connection, method, arguments);
        return (Connection)
                Proxy.newProxyInstance(Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, handler);
    }

    private @Nullable Object call(Connection connection, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        boolean commit = method.getName().equals("commit");
        if (commit) {
            pass(Point.WORKED);
        } else if (writesBusinessRow(method, arguments)) {
            pass(Point.WORKING);
        }
        Object result = invoke(connection, method, arguments);
        if (commit) {
            pass(Point.COMMITTED);
        } else if (begins(method, arguments)) {
            pass(Point.BEGUN);
        }
        return result;
    }

    private static boolean begins(Method method, @Nullable Object @Nullable [] arguments) {
        return method.getName().equals("setAutoCommit") && arguments != null && Boolean.FALSE.equals(arguments[0]);
    }

    private static boolean writesBusinessRow(Method method, @Nullable Object @Nullable [] arguments) {
        return method.getName().equals("prepareStatement")
                && arguments != null
                && arguments[0] instanceof String sql
                && sql.startsWith("INSERT INTO ")
                && !sql.startsWith("INSERT INTO idem_");
    }

    private void pass(Point point) {
        current.get().ifPresent(record -> tripwire.pass(point, record));
    }

    private static @Nullable Object invoke(
            Connection connection, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }
}
