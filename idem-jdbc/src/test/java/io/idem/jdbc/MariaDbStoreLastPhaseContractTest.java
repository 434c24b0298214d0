package io.idem.jdbc;

/** The contract of work whose transaction is its last phase, for MariaDB as the store. */
class MariaDbStoreLastPhaseContractTest extends StoreLastPhaseContract {

    @Override
    InboxDatabase open() {
        return new MariaDbInboxContractTest().open();
    }
}
