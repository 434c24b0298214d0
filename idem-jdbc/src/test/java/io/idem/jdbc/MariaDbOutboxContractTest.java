package io.idem.jdbc;

import io.idem.servers.junit.RequiresMariaDb;

/** The contract of the outbox, for MariaDB. */
@RequiresMariaDb
class MariaDbOutboxContractTest extends OutboxContract {

    @Override
    InboxDatabase open() {
        return new MariaDbInboxContractTest().open();
    }
}
