package io.idem.jdbc.internal;

import io.idem.Fingerprint;
import io.idem.RecordId;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Binds the parameters of a statement in their order. */
public final class Parameters {

    private static final long NANOS = ChronoUnit.MICROS.getDuration().toNanos();

    private final PreparedStatement statement;
    private int last;

    public Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    public Parameters add(RecordId record) throws SQLException {
        return add(record.key().id()).add(record.scope().name());
    }

    public Parameters add(@Nullable String text) throws SQLException {
        statement.setString(++last, text);
        return this;
    }

    public Parameters add(long number) throws SQLException {
        statement.setLong(++last, number);
        return this;
    }

    public Parameters add(byte @Nullable [] bytes) throws SQLException {
        statement.setBytes(++last, bytes);
        return this;
    }

    /** Adds a digest; null if it is not known. */
    public Parameters add(Fingerprint fingerprint) throws SQLException {
        return add(fingerprint.isNone() ? null : fingerprint.toBytes());
    }

    /** Adds a duration in microseconds. */
    public Parameters add(@Nullable Duration duration) throws SQLException {
        if (duration == null) {
            statement.setNull(++last, Types.BIGINT);
            return this;
        }
        return add(micros(duration));
    }

    static long micros(Duration duration) {
        return Math.addExact(
                Math.multiplyExact(duration.toSeconds(), 1_000_000L), duration.toNanosPart() / NANOS);
    }
}
