package io.idem.jdbc;

import io.idem.jdbc.outbox.OutboxContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Inbox and outbox behind a proxy that pools transactions, as pgbouncer with {@code pool_mode=transaction} does. */
@Tag("extended")
class TransactionPoolingTest {

    @Nested
    class OfTheInbox extends InboxContract {

        @Override
        InboxDatabase open() {
            return PooledInboxDatabase.ofTransactions(new PostgresInboxContractTest().open());
        }
    }

    @Nested
    class OfTheInboxAsStore extends StoreInboxContract {

        @Override
        InboxDatabase open() {
            return PooledInboxDatabase.ofTransactions(new PostgresInboxContractTest().open());
        }
    }

    @Nested
    class OfTheOutbox extends OutboxContract {

        @Override
        public InboxDatabase open() {
            return PooledInboxDatabase.ofTransactions(new PostgresInboxContractTest().open());
        }
    }
}
