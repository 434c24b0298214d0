package io.idem.jdbc.internal;

import io.idem.Fingerprint;
import io.idem.OwnerToken;
import io.idem.RecordId;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.PreparedStatementSetter;

/** Binds the parameters of a statement in their order. */
public final class Parameters {

    private static final long NANOS = ChronoUnit.MICROS.getDuration().toNanos();

    private Parameters() {}

    /** Returns what binds the values, see {@link #bind}. */
    public static PreparedStatementSetter of(@Nullable Object... values) {
        return statement -> bind(statement, values);
    }

    /**
     * Binds values: a record as its key and scope, a duration in microseconds, a fingerprint as its digest, or null if it is not known, and
     * an array as its values.
     *
     * @return the number of parameters
     */
    public static int bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        return bindAfter(0, statement, values);
    }

    private static int bindAfter(int bound, PreparedStatement statement, @Nullable Object[] values) throws SQLException {
        int last = bound;
        for (Object value : values) {
            if (value instanceof RecordId record) {
                statement.setString(++last, record.key().id());
                statement.setString(++last, record.scope().name());
            } else if (value instanceof Object[] several) {
                last = bindAfter(last, statement, several);
            } else {
                bindOne(statement, ++last, value);
            }
        }
        return last;
    }

    private static void bindOne(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        if (value instanceof String text) {
            statement.setString(index, text);
        } else if (value instanceof Number number) {
            statement.setLong(index, number.longValue());
        } else if (value instanceof Duration duration) {
            statement.setLong(index, micros(duration));
        } else if (value instanceof OwnerToken owner) {
            statement.setBytes(index, owner.toBytes());
        } else if (value instanceof Fingerprint fingerprint && !fingerprint.isNone()) {
            statement.setBytes(index, fingerprint.toBytes());
        } else if (value instanceof byte[] bytes) {
            statement.setBytes(index, bytes);
        } else {
            statement.setNull(index, Types.NULL);
        }
    }

    static long micros(Duration duration) {
        return Math.addExact(
                Math.multiplyExact(duration.toSeconds(), 1_000_000L), duration.toNanosPart() / NANOS);
    }
}
