package io.idem.jdbc;

import io.idem.spi.RecordId;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Binds the parameters of a statement in their order. */
final class Parameters {

    private final PreparedStatement statement;
    private int last;

    Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    Parameters add(RecordId record) throws SQLException {
        return add(record.key().id()).add(record.scope().name());
    }

    Parameters add(String text) throws SQLException {
        statement.setString(++last, text);
        return this;
    }

    Parameters add(long number) throws SQLException {
        statement.setLong(++last, number);
        return this;
    }

    Parameters add(byte[] bytes) throws SQLException {
        statement.setBytes(++last, bytes);
        return this;
    }
}
