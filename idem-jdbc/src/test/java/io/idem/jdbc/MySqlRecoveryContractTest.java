package io.idem.jdbc;

import io.idem.servers.junit.RequiresMySql;
import org.junit.jupiter.api.Tag;

/** The contract of the recovery, for MySQL. */
@Tag("extended")
@RequiresMySql
class MySqlRecoveryContractTest extends RecoveryContract {

    @Override
    InboxDatabase open() {
        return new MySqlInboxContractTest().open();
    }
}
