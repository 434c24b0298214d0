package io.idem.jdbc;

import io.idem.servers.junit.RequiresMariaDb;

/** The contract of an inbox that is the store, for MariaDB. */
@RequiresMariaDb
class MariaDbStoreInboxContractTest extends StoreInboxContract {

    @Override
    InboxDatabase open() {
        return new MariaDbInboxContractTest().open();
    }
}
