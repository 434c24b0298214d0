package io.idem.jdbc.internal;

import io.idem.RecordId;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Objects;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * The claim on MySQL, whose insert waits while another transaction has inserted the row, and returns no columns. The query timeout ends the wait: the driver cancels the insert over a second connection. A second statement sets the fence after the wait, because a clock that is read before it would give a later owner a smaller fence.
 */
record WaitingClaim(JdbcTemplate jdbc, InboxDialect dialect) {

    /** The longest wait: one second, the shortest query timeout of JDBC. */
    static final int LONGEST_SECONDS = 1;

    private static final String READ = "SELECT fence FROM idem_inbox WHERE key_id = ? AND scope = ?";

    /**
     * Inserts the row and returns its fence; empty if another transaction has committed the row.
     *
     * @param parameters binds the parameters and the query timeout of the insert
     */
    Optional<Long> fence(PreparedStatementSetter parameters, RecordId record) {
        try {
            int unused = jdbc.update(dialect.claim(), parameters);
        } catch (DuplicateKeyException committed) {
            return Optional.empty();
        }
        // There is no key if the fence stays and the driver counts changed rows, or if the table has a trigger.
        return generatedKey(record).or(() -> read(record));
    }

    private Optional<Long> generatedKey(RecordId record) {
        PreparedStatementCreator update =
                connection -> connection.prepareStatement(dialect.fence(), Statement.RETURN_GENERATED_KEYS);
        PreparedStatementCallback<Optional<Long>> run = statement -> {
            Parameters unused = new Parameters(statement).add(record);
            int unusedCount = statement.executeUpdate();
            try (ResultSet keys = statement.getGeneratedKeys()) {
                return keys.next() ? Optional.of(keys.getLong(1)) : Optional.empty();
            }
        };
        return Objects.requireNonNull(jdbc.execute(update, run));
    }

    private Optional<Long> read(RecordId record) {
        return jdbc
                .queryForList(
                        dialect.sql(READ),
                        Long.class,
                        record.key().id(),
                        record.scope().name())
                .stream()
                .findFirst();
    }
}
