package io.idem.jdbc;

/** The contract of work whose transaction is its last phase, for PostgreSQL as the store. */
class PostgresStoreLastPhaseContractTest extends StoreLastPhaseContract {

    @Override
    InboxDatabase open() {
        return new PostgresInboxContractTest().open();
    }
}
