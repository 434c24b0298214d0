package io.idem.jdbc;

import io.idem.servers.junit.RequiresMariaDb;
import org.junit.jupiter.api.Tag;

/** The contract of an inbox that is the store, for MariaDB. */
@Tag("extended")
@RequiresMariaDb
class MariaDbStoreInboxContractTest extends StoreInboxContract {

    @Override
    InboxDatabase open() {
        return new MariaDbInboxContractTest().open();
    }
}
