package io.idem.jdbc;

import org.junit.jupiter.api.Tag;

/** The contract of work whose transaction is its last phase, for MariaDB. */
@Tag("extended")
class MariaDbLastPhaseContractTest extends LastPhaseContract {

    @Override
    InboxDatabase open() {
        return new MariaDbInboxContractTest().open();
    }
}
