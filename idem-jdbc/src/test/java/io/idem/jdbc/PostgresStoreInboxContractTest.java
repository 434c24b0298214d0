package io.idem.jdbc;

/** The contract of an inbox that is the store, for PostgreSQL. */
class PostgresStoreInboxContractTest extends StoreInboxContract {

    @Override
    InboxDatabase open() {
        return new PostgresInboxContractTest().open();
    }
}
