package io.idem.jdbc.outbox;

import io.idem.jdbc.InboxDatabase;
import io.idem.jdbc.MySqlInboxContractTest;
import io.idem.servers.junit.RequiresMySql;
import org.junit.jupiter.api.Tag;

/** The contract of the outbox, for MySQL. */
@Tag("extended")
@RequiresMySql
class MySqlOutboxContractTest extends OutboxContract {

    @Override
    public InboxDatabase open() {
        return new MySqlInboxContractTest().open();
    }
}
