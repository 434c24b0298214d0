package io.idem.jdbc;

/** The contract of the recovery, for PostgreSQL. */
class PostgresRecoveryContractTest extends RecoveryContract {

    @Override
    InboxDatabase open() {
        return new PostgresInboxContractTest().open();
    }
}
