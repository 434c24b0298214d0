package io.idem.jdbc.outbox;

import io.idem.jdbc.InboxDatabase;
import io.idem.jdbc.PostgresInboxContractTest;

/** The contract of the outbox, for PostgreSQL. */
class PostgresOutboxContractTest extends OutboxContract {

    @Override
    public InboxDatabase open() {
        return new PostgresInboxContractTest().open();
    }
}
