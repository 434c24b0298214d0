package io.idem.jdbc;

import org.junit.jupiter.api.Tag;

/** The contract of work whose transaction is its last phase, for PostgreSQL. */
@Tag("servers")
class PostgresLastPhaseContractTest extends LastPhaseContract {

    @Override
    InboxDatabase open() {
        return new PostgresInboxContractTest().open();
    }
}
