package io.idem.jdbc;

import org.junit.jupiter.api.Tag;

/** The contract of an inbox that is the store, for PostgreSQL. */
@Tag("servers")
class PostgresStoreInboxContractTest extends StoreInboxContract {

    @Override
    InboxDatabase open() {
        return new PostgresInboxContractTest().open();
    }
}
