package io.idem.jdbc.outbox;

import io.idem.Inbox;
import io.idem.Outbox;
import io.idem.Scope;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.inbox.InboxCleaner;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.transaction.PlatformTransactionManager;

/** Rows of the inbox's own table, with messages that an {@link OutboxRelay} sends. Thread-safe. */
public final class JdbcOutbox implements Outbox {

    private final JdbcInbox rows;
    private final OutboxRelay relay;

    /**
     * An outbox; the table must exist, see {@link InboxSchema}. Connects, to see which database it is.
     *
     * @param dataSource of the business data
     * @param transactionManager of that very data source; a {@code JpaTransactionManager} will do, JTA will not
     * @param relay of the same data source; if it was not started here, messages leave by that of another instance when they are due
     * @throws InboxSchemaException if the database is neither PostgreSQL nor MariaDB
     */
    public JdbcOutbox(DataSource dataSource, PlatformTransactionManager transactionManager, OutboxRelay relay) {
        this(new JdbcInbox(dataSource, transactionManager, Optional.of(relay.after())), relay);
    }

    private JdbcOutbox(JdbcInbox rows, OutboxRelay relay) {
        this.rows = rows;
        this.relay = relay;
    }

    /** The same outbox, with work running under it while the store is unreachable; see {@link JdbcInbox#decidingAlone}. */
    public JdbcOutbox decidingAlone() {
        return new JdbcOutbox(rows.decidingAlone(), relay);
    }

    /** Returns this outbox with the retention of its {@link InboxCleaner}; see {@link JdbcInbox#keepingRowsFor}. */
    public JdbcOutbox keepingRowsFor(Duration retention) {
        return new JdbcOutbox(rows.keepingRowsFor(retention), relay);
    }

    @Override
    public Inbox inbox(Scope scope) {
        relay.serve(scope);
        return new RelayedInbox(rows, relay);
    }
}
