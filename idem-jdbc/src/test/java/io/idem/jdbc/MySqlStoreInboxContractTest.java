package io.idem.jdbc;

import io.idem.servers.junit.RequiresMySql;
import org.junit.jupiter.api.Tag;

/** The contract of an inbox that is the store, for MySQL. */
@Tag("extended")
@RequiresMySql
class MySqlStoreInboxContractTest extends StoreInboxContract {

    @Override
    InboxDatabase open() {
        return new MySqlInboxContractTest().open();
    }
}
