package io.idem.jdbc;

/** The contract of work whose transaction is its last phase, for MariaDB. */
class MariaDbLastPhaseContractTest extends BesideStoreLastPhaseContract {

    @Override
    InboxDatabase open() {
        return new MariaDbInboxContractTest().open();
    }
}
