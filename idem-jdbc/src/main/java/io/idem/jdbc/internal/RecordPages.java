package io.idem.jdbc.internal;

import static io.idem.internal.value.Arguments.require;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.spi.RecordLister.Listed;
import io.idem.spi.RecordLister.Page;
import io.idem.spi.RecordLister;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads many records in the order of their primary key, each page in a statement of its own. Thread-safe; blocks. */
public record RecordPages(InboxDialect dialect, OwnTransactions database) {

    private static final Pattern CURSOR = Pattern.compile("([\\w-]{22}):(" + Scope.SYNTAX + ")");

    /** Returns one page of records in the order of their keys, without those that have expired; see {@link RecordLister#list}. */
    public Page page(String cursor, int most) {
        String[] after = after(cursor);
        return page(
                read(" WHERE (key_id, scope) > (?, ?) ORDER BY key_id, scope LIMIT ?", after[0], after[1], most), most);
    }

    /** Returns key and scope after which a page begins; empty texts are before all rows. */
    public static String[] after(String cursor) {
        if (cursor.equals(RecordLister.START)) {
            return new String[] {"", ""};
        }
        Matcher position = CURSOR.matcher(cursor);
        require(position.matches(), "\"" + cursor + "\" is not a cursor");
        return new String[] {position.group(1), position.group(2)};
    }

    /** Returns the page of rows that were read, expired or not. */
    public static Page page(List<RecordRow> rows, int most) {
        List<Listed> live = rows.stream()
                .filter(row -> !row.expired())
                .map(row -> new Listed(row.keyId(), row.snapshot()))
                .toList();
        RecordRow last = rows.isEmpty() ? null : rows.get(rows.size() - 1);
        return new Page(
                live,
                last == null || rows.size() < most
                        ? RecordLister.START
                        : last.keyId() + ":" + last.snapshot().scope().name());
    }

    /** Returns a record unless it has expired. */
    public Optional<RecordRow> find(RecordId record) {
        return read(
                        " WHERE key_id = ? AND scope = ?",
                        record.key().id(),
                        record.scope().name())
                .stream()
                .filter(row -> !row.expired())
                .findFirst();
    }

    /** Returns the records of a key in the order of their scopes, without those that have expired. */
    public List<RecordRow> of(IdempotencyKey key) {
        return read(" WHERE key_id = ? ORDER BY scope", key.id()).stream()
                .filter(row -> !row.expired())
                .toList();
    }

    private List<RecordRow> read(String which, Object... parameters) {
        String sql = dialect.sql("SELECT" + dialect.columns() + " FROM idem_record" + which);
        return database.runAlone(jdbc -> jdbc.query(sql, (row, number) -> RecordRow.read(row), parameters));
    }
}
