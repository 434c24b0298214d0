package io.idem.jdbc;

/** The contract of work whose transaction is its last phase, for PostgreSQL. */
class PostgresLastPhaseContractTest extends BesideStoreLastPhaseContract {

    @Override
    InboxDatabase open() {
        return new PostgresInboxContractTest().open();
    }
}
