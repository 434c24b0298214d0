package io.idem.jdbc;

import io.idem.servers.junit.RequiresMariaDb;

/** The contract of the recovery, for MariaDB. */
@RequiresMariaDb
class MariaDbRecoveryContractTest extends RecoveryContract {

    @Override
    InboxDatabase open() {
        return new MariaDbInboxContractTest().open();
    }
}
