package io.idem.jdbc;

import io.idem.servers.junit.RequiresMariaDb;
import org.junit.jupiter.api.Tag;

/** The contract of the recovery, for MariaDB. */
@Tag("extended")
@RequiresMariaDb
class MariaDbRecoveryContractTest extends RecoveryContract {

    @Override
    InboxDatabase open() {
        return new MariaDbInboxContractTest().open();
    }
}
