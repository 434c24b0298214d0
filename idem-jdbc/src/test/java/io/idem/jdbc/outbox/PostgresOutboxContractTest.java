package io.idem.jdbc.outbox;

import io.idem.jdbc.InboxDatabase;
import io.idem.jdbc.PostgresInboxContractTest;
import org.junit.jupiter.api.Tag;

/** The contract of the outbox, for PostgreSQL. */
@Tag("servers")
class PostgresOutboxContractTest extends OutboxContract {

    @Override
    public InboxDatabase open() {
        return new PostgresInboxContractTest().open();
    }
}
