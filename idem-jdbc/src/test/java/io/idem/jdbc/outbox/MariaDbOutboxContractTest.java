package io.idem.jdbc.outbox;

import io.idem.jdbc.InboxDatabase;
import io.idem.jdbc.MariaDbInboxContractTest;
import io.idem.servers.junit.RequiresMariaDb;
import org.junit.jupiter.api.Tag;

/** The contract of the outbox, for MariaDB. */
@Tag("extended")
@RequiresMariaDb
class MariaDbOutboxContractTest extends OutboxContract {

    @Override
    public InboxDatabase open() {
        return new MariaDbInboxContractTest().open();
    }
}
