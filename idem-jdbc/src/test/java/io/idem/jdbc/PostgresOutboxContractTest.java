package io.idem.jdbc;

/** The contract of the outbox, for PostgreSQL. */
class PostgresOutboxContractTest extends OutboxContract {

    @Override
    InboxDatabase open() {
        return new PostgresInboxContractTest().open();
    }
}
