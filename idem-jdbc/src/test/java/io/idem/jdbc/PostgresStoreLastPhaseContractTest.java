package io.idem.jdbc;

import org.junit.jupiter.api.Tag;

/** The contract of work whose transaction is its last phase, for PostgreSQL as the store. */
@Tag("servers")
class PostgresStoreLastPhaseContractTest extends StoreLastPhaseContract {

    @Override
    InboxDatabase open() {
        return new PostgresInboxContractTest().open();
    }
}
