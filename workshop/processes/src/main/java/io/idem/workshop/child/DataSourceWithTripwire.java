package io.idem.workshop.child;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
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
        return ConnectionWithTripwire.of(super.getConnection(), this::pass);
    }

    private void pass(Point point) {
        current.get().ifPresent(record -> tripwire.pass(point, record));
    }
}
