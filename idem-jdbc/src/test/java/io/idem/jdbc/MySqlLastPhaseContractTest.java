package io.idem.jdbc;

import io.idem.servers.junit.RequiresMySql;
import org.junit.jupiter.api.Tag;

/** The contract of work whose transaction is its last phase, for MySQL. */
@Tag("extended")
@RequiresMySql
class MySqlLastPhaseContractTest extends LastPhaseContract {

    @Override
    InboxDatabase open() {
        return new MySqlInboxContractTest().open();
    }
}
