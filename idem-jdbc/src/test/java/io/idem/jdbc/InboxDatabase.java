package io.idem.jdbc;

import java.net.URI;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A schema of a test's own, with a ledger that has no unique constraint: the witness. */
public interface InboxDatabase extends AutoCloseable {

    /** Host and port of the server. */
    URI server();

    /** A new connection for every transaction. */
    DataSource dataSource();

    /** Returns a data source that connects through another host and port. */
    DataSource dataSourceAt(String host, int port);

    /** Returns a data source whose sessions wait for a lock for at most one second. */
    DataSource impatientDataSource();

    /** Returns the number of sessions that wait for another one's transaction. */
    int waiting();

    /** Makes all rows older. */
    void age(int seconds);

    /** Makes every update of a row fail, with the message "refused by a test". */
    void refuseUpdates();

    /** Undoes the next transactions that write a failed attempt, as at a deadlock. */
    void undoFailures(int times);

    default JdbcTemplate jdbc() {
        return new JdbcTemplate(dataSource());
    }

    default List<String> ledger() {
        return jdbc().queryForList("SELECT entry FROM ledger ORDER BY entry", String.class);
    }

    @Override
    void close();
}
