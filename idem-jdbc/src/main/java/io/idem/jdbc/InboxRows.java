package io.idem.jdbc;

import io.idem.spi.Inbox.Effect;
import io.idem.spi.Lease;
import io.idem.spi.RecordId;
import io.idem.spi.StoredResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The statements on the table; each takes part in the transaction of the calling thread. */
final class InboxRows {

    private static final String CLAIM = "INSERT INTO idem_inbox (key_id, scope, fence) VALUES (?, ?, ?)"
            + " ON CONFLICT ON CONSTRAINT idem_inbox_pkey DO NOTHING";
    private static final String RECORD = "UPDATE idem_inbox SET result_codec = ?, result = ?, outgoing = ?"
            + " WHERE key_id = ? AND scope = ? AND fence = ?";
    private static final String FIND =
            "SELECT fence, result_codec, result, outgoing FROM idem_inbox WHERE key_id = ? AND scope = ?";
    private static final String DELETE = "DELETE FROM idem_inbox WHERE key_id = ? AND scope = ?";

    private final JdbcTemplate jdbc;

    InboxRows(DataSource dataSource) {
        this.jdbc = new JdbcTemplate(dataSource);
    }

    /**
     * Inserts the row; waits for another transaction that has inserted it.
     *
     * @return whether the row is this transaction's now; if not, somebody has committed it
     * @throws org.springframework.dao.QueryTimeoutException if the wait took longer than the lease's duration
     */
    boolean claim(Lease lease) {
        try {
            return jdbc.update(CLAIM, statement -> bindClaim(statement, lease)) == 1;
        } catch (ConcurrencyFailureException committedSinceOurSnapshot) {
            // How the stricter isolation levels say "there is a row".
            return false;
        }
    }

    private static void bindClaim(PreparedStatement statement, Lease lease) throws SQLException {
        statement.setQueryTimeout(wholeSeconds(lease.duration()));
        statement.setString(1, lease.record().key().id());
        statement.setString(2, lease.record().scope().name());
        statement.setLong(3, lease.fence());
    }

    private static int wholeSeconds(Duration duration) {
        return Math.toIntExact(Math.max(1, duration.plusMillis(999).toSeconds()));
    }

    void record(Lease lease, Effect effect) {
        RecordId record = lease.record();
        int updated = jdbc.update(
                RECORD,
                effect.result().codec(),
                effect.result().content(),
                OutgoingCodec.encode(effect.outgoing()),
                record.key().id(),
                record.scope().name(),
                lease.fence());
        if (updated != 1) {
            throw new IncorrectUpdateSemanticsDataAccessException("The inbox row of " + record
                    + " was removed or changed by its own work; the work is rolled back. Leave idem_inbox to idem");
        }
    }

    Optional<InboxRow> find(RecordId record) {
        return jdbc
                .query(
                        FIND,
                        (row, number) -> read(row),
                        record.key().id(),
                        record.scope().name())
                .stream()
                .findFirst();
    }

    private static InboxRow read(ResultSet row) throws SQLException {
        String codec = row.getString("result_codec");
        StoredResult result = codec.isEmpty() ? StoredResult.NONE : StoredResult.of(codec, row.getBytes("result"));
        return new InboxRow(row.getLong("fence"), new Effect(result, OutgoingCodec.decode(row.getBytes("outgoing"))));
    }

    int delete(RecordId record) {
        return jdbc.update(DELETE, record.key().id(), record.scope().name());
    }
}
