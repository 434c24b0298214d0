package io.idem.jdbc.outbox;

import io.idem.Inbox;
import io.idem.Outbox;
import io.idem.Scope;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.transaction.PlatformTransactionManager;

/** An outbox on the inbox's table, whose messages an {@link OutboxRelay} sends. Thread-safe. */
public final class JdbcOutbox implements Outbox {

    private final JdbcInbox rows;
    private final OutboxRelay relay;

    /**
     * Creates an outbox; the table must exist, see {@link InboxSchema}. Connects, to find out the database.
     *
     * @param dataSource the data source of the business data
     * @param transactionManager a manager of that very data source, for example a {@code JpaTransactionManager}, but
     *     not JTA
     * @param relay a relay of the same data source; if it is not started here, messages are sent by that of another
     *     instance when they are due
     * @throws InboxSchemaException if the database is not PostgreSQL, MariaDB or MySQL
     */
    public JdbcOutbox(DataSource dataSource, PlatformTransactionManager transactionManager, OutboxRelay relay) {
        this(
                new JdbcInbox(
                        dataSource,
                        transactionManager,
                        Optional.of(relay.after()),
                        (row, effect) -> relay.committed(dataSource, row, effect)),
                relay);
        relay.check();
    }

    private JdbcOutbox(JdbcInbox rows, OutboxRelay relay) {
        this.rows = rows;
        this.relay = relay;
    }

    /** Returns a copy that is the store; see {@link JdbcInbox#asStore}. */
    public JdbcOutbox asStore(InboxStore store) {
        return new JdbcOutbox(rows.asStore(store), relay);
    }

    /** Returns a copy beside the store of the very table; see {@link JdbcInbox#onRecordsOf}. */
    public JdbcOutbox onRecordsOf(PostgresIdempotencyStore store) {
        return new JdbcOutbox(rows.onRecordsOf(store), relay);
    }

    @Override
    public Inbox inbox(Scope scope) {
        relay.serve(scope);
        return rows;
    }
}
