package io.idem.jdbc.internal;

import static io.idem.internal.value.Arguments.require;

import io.idem.IdempotencyKey;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import io.idem.spi.RecordLister;
import io.idem.spi.RecordLister.Listed;
import io.idem.spi.RecordLister.Page;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The statements on the records of an inbox that is their store, outside of work. Thread-safe. */
public final class StoredRecords {

    private static final String OF_FENCE = FailureStatements.OF_RECORD + " AND fence = ?";
    private static final String REMOVE_ROW = "DELETE FROM idem_inbox WHERE " + OF_FENCE;
    private static final String REMOVE_FAILURE = "DELETE FROM idem_inbox_failure WHERE " + OF_FENCE;
    private static final String REMOVE_EARLIER_FAILURE =
            "DELETE FROM idem_inbox_failure WHERE " + FailureStatements.OF_RECORD + " AND fence <= ?";
    private static final String ERASE_ROW = "UPDATE idem_inbox SET result_codec = ?, result = '' WHERE "
            + FailureStatements.OF_RECORD + " AND result_codec <> ''";
    private static final String OMIT_RESULT = "UPDATE idem_inbox SET result_codec = '"
            + ForcedEnd.COMPLETED.result().codec() + "' WHERE " + OF_FENCE;
    private static final String ERASE_REASON =
            "UPDATE idem_inbox_failure SET reason = '' WHERE " + FailureStatements.OF_RECORD + " AND rejected";

    /** A character that PostgreSQL's text cannot hold. */
    private static final char NUL = '\0';

    private static final char REPLACEMENT = '\ufffd';
    private static final Pattern CURSOR = Pattern.compile("([\\w-]{22}):(" + Scope.SYNTAX + ")");

    /** The longest wait of an operator's claim for a transaction of the earlier version. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final InboxDialect dialect;
    private final FailureStatements failures;
    private final SecureRandom random = new SecureRandom();

    public StoredRecords(InboxDialect dialect) {
        this.dialect = dialect;
        this.failures = dialect.failures();
    }

    /**
     * Counts an attempt without effect.
     *
     * @return whether it was counted; false if the work took effect or is rejected
     */
    public boolean fail(JdbcTemplate jdbc, Request attempt, Duration delay, boolean rejected, String reason) {
        return jdbc.update(
                        failures.fail(),
                        attempt.record().key().id(),
                        attempt.record().scope().name(),
                        attempt.lease().fence(),
                        InboxRows.stored(attempt.fingerprint()),
                        Math.multiplyExact(delay.toMillis(), 1_000),
                        rejected,
                        reason.replace(NUL, REPLACEMENT))
                > 0;
    }

    /** Ends the delay of a failed attempt; returns whether a failure with this fence was found. */
    public boolean release(JdbcTemplate jdbc, RecordId record, long fence) {
        return jdbc.update(failures.release(), of(record, fence)) > 0;
    }

    /**
     * Removes the row of this fence and the failures beside it, or the failures of this fence; returns whether there was
     * either. Failures are beside a row if they were written while a later attempt was under way.
     */
    public boolean remove(JdbcTemplate jdbc, RecordId record, long fence) {
        boolean row = jdbc.update(dialect.sql(REMOVE_ROW), of(record, fence)) > 0;
        String failure = dialect.sql(row ? REMOVE_EARLIER_FAILURE : REMOVE_FAILURE);
        return jdbc.update(failure, of(record, fence)) > 0 || row;
    }

    /** Removes the failures up to a fence. */
    public void forgive(JdbcTemplate jdbc, RecordId record, long fence) {
        int unused = jdbc.update(dialect.sql(REMOVE_EARLIER_FAILURE), of(record, fence));
    }

    private static Object[] of(RecordId record, long fence) {
        return new Object[] {record.key().id(), record.scope().name(), fence};
    }

    /**
     * Inserts the row of failed work, with a result that is not kept, and removes the failures.
     *
     * @return false if the work is under way or has taken effect
     */
    public boolean complete(JdbcTemplate jdbc, RecordId record, RecordSnapshot failed) {
        Lease lease = new Lease(
                record, OwnerToken.random(random), failed.fence() + 1, failed.attempts(), LONGEST_WAIT, LONGEST_WAIT);
        InboxRows rows = new InboxRows(jdbc, dialect);
        try {
            Optional<Lease> claimed = rows.claim(new Request(lease, failed.fingerprint()), LONGEST_WAIT);
            return claimed.isPresent()
                    && jdbc.update(
                                    dialect.sql(OMIT_RESULT),
                                    of(record, claimed.get().fence()))
                            > 0
                    && jdbc.update(dialect.sql(REMOVE_FAILURE), of(record, failed.fence())) > 0;
        } catch (DataAccessException failure) {
            if (ClaimFailure.of(failure, rows.claimWaits()) == ClaimFailure.ROW_LOCKED) {
                return false;
            }
            throw failure;
        }
    }

    /** Erases the result of a row, or the reason of a rejection. */
    public void erase(JdbcTemplate jdbc, RecordId record) {
        String key = record.key().id();
        String scope = record.scope().name();
        int rows = jdbc.update(dialect.sql(ERASE_ROW), StoredResult.OMITTED.codec(), key, scope);
        if (rows == 0) {
            int unused = jdbc.update(dialect.sql(ERASE_REASON), key, scope);
        }
    }

    /** Returns the record; one of work that took effect, if there is one, else its failures. */
    public Optional<RecordSnapshot> of(JdbcTemplate jdbc, RecordId record) {
        String key = record.key().id();
        String scope = record.scope().name();
        return first(jdbc.query(where(FailureStatements.OF_RECORD), StoredRecords::read, key, scope, key, scope))
                .stream()
                .map(Listed::record)
                .findFirst();
    }

    /** Returns the records of a key, in the order of their scopes. */
    public List<RecordSnapshot> of(JdbcTemplate jdbc, IdempotencyKey key) {
        return first(jdbc.query(where(FailureStatements.OF_KEY), StoredRecords::read, key.id(), key.id())).stream()
                .map(Listed::record)
                .toList();
    }

    private String where(String condition) {
        return dialect.sql(failures.records().where(condition));
    }

    /** Returns one page of records in the order of their keys; see {@link RecordLister#list}. */
    public Page page(JdbcTemplate jdbc, String cursor, int most) {
        Matcher position = CURSOR.matcher(cursor);
        boolean start = cursor.equals(RecordLister.START);
        require(start || position.matches(), "\"" + cursor + "\" is not a cursor");
        String key = start ? "" : position.group(1);
        String scope = start ? "" : position.group(2);
        // A key may have a row and failures, which must be on one page.
        List<Listed> read = jdbc.query(
                dialect.sql(failures.records().page()),
                StoredRecords::read,
                key,
                scope,
                most + 1,
                key,
                scope,
                most + 1,
                most + 1);
        List<Listed> found = first(read);
        if (read.size() <= most) {
            return new Page(found, RecordLister.START);
        }
        List<Listed> page = found.size() > 1 ? found.subList(0, found.size() - 1) : found;
        Listed last = page.get(page.size() - 1);
        return new Page(page, last.keyId() + ":" + last.record().scope().name());
    }

    /** Returns the first of the records of one key and scope, which counts. */
    private static List<Listed> first(List<Listed> read) {
        Map<String, Listed> first = new LinkedHashMap<>();
        read.forEach(listed ->
                first.putIfAbsent(listed.keyId() + ":" + listed.record().scope(), listed));
        return new ArrayList<>(first.values());
    }

    private static Listed read(ResultSet row, int number) throws SQLException {
        boolean failed = row.getBoolean("failed");
        RecordState ended = row.getBoolean("rejected") ? RecordState.REJECTED : RecordState.FAILED;
        return new Listed(
                row.getString("key_id"),
                new RecordSnapshot(
                        new Scope(row.getString("scope")),
                        failed ? ended : RecordState.COMPLETED,
                        row.getInt("attempts"),
                        row.getLong("fence"),
                        InboxRows.fingerprint(row),
                        Instant.ofEpochMilli(row.getLong("at_millis")),
                        failed ? StoredResult.NONE : InboxRows.result(row),
                        failed ? row.getString("reason") : ""));
    }
}
