package io.idem.jdbc;

import org.junit.jupiter.api.Tag;

/** The contract of work whose transaction is its last phase, for MariaDB as the store. */
@Tag("extended")
class MariaDbStoreLastPhaseContractTest extends StoreLastPhaseContract {

    @Override
    InboxDatabase open() {
        return new MariaDbInboxContractTest().open();
    }
}
