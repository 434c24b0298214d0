package io.idem.jdbc;

import org.junit.jupiter.api.Tag;

/** The contract of the recovery, for PostgreSQL. */
@Tag("servers")
class PostgresRecoveryContractTest extends RecoveryContract {

    @Override
    InboxDatabase open() {
        return new PostgresInboxContractTest().open();
    }
}
