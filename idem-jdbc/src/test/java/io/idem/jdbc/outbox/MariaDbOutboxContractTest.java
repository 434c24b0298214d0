package io.idem.jdbc.outbox;

import io.idem.jdbc.InboxDatabase;
import io.idem.jdbc.MariaDbInboxContractTest;
import io.idem.servers.junit.RequiresMariaDb;

/** The contract of the outbox, for MariaDB. */
@RequiresMariaDb
class MariaDbOutboxContractTest extends OutboxContract {

    @Override
    public InboxDatabase open() {
        return new MariaDbInboxContractTest().open();
    }
}
