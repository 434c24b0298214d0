package io.idem.jdbc.internal;

import io.idem.RecordId;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Binds the parameters of a statement in their order. */
public final class Parameters {

    private final PreparedStatement statement;
    private int last;

    public Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    public Parameters add(RecordId record) throws SQLException {
        return add(record.key().id()).add(record.scope().name());
    }

    public Parameters add(String text) throws SQLException {
        statement.setString(++last, text);
        return this;
    }

    public Parameters add(long number) throws SQLException {
        statement.setLong(++last, number);
        return this;
    }

    public Parameters add(byte[] bytes) throws SQLException {
        statement.setBytes(++last, bytes);
        return this;
    }
}
