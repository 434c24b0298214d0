package io.idem.jdbc;

import static io.idem.jdbc.Leases.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.outbox.OutboxContract;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.jdbc.store.RecordSchema;
import io.idem.servers.junit.RequiresMariaDb;
import io.idem.servers.junit.RequiresMySql;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Tests every class that writes with a pool whose connections do not commit by themselves, as applications with
 * Hibernate have it.
 */
@Tag("servers")
class AutoCommitOffTest {

    private static final Duration ENDLESS = Duration.ofMinutes(2);

    @Nested
    @Tag("extended")
    class OfTheInbox extends InboxContract {

        @Override
        InboxDatabase open() {
            return PooledInboxDatabase.withoutAutoCommit(new PostgresInboxContractTest().open());
        }
    }

    @Nested
    @Tag("extended")
    class OfTheOutbox extends OutboxContract {

        @Override
        public InboxDatabase open() {
            return PooledInboxDatabase.withoutAutoCommit(new PostgresInboxContractTest().open());
        }
    }

    @Nested
    @Tag("extended")
    @RequiresMariaDb
    class OfTheOutboxOnMariaDb extends OutboxContract {

        @Override
        public InboxDatabase open() {
            return PooledInboxDatabase.withoutAutoCommit(new MariaDbInboxContractTest().open());
        }
    }

    @Nested
    @Tag("extended")
    @RequiresMySql
    class OfTheInboxOnMySql extends InboxContract {

        @Override
        InboxDatabase open() {
            return PooledInboxDatabase.withoutAutoCommit(new MySqlInboxContractTest().open());
        }
    }

    @Nested
    @Tag("extended")
    @RequiresMySql
    class OfTheOutboxOnMySql extends OutboxContract {

        @Override
        public InboxDatabase open() {
            return PooledInboxDatabase.withoutAutoCommit(new MySqlInboxContractTest().open());
        }
    }

    @Nested
    class OnPostgres {

        private final TestDatabase database = new TestDatabase();
        private final HikariDataSource pool = PooledInboxDatabase.poolWithoutAutoCommit(database.dataSource());

        @AfterEach
        void close() {
            pool.close();
            database.close();
        }

        @Test
        void cleaningRemovesMoreRowsThanABatchAndEnds() {
            new InboxSchema(pool, new JdbcTransactionManager(pool)).create();
            database.jdbc()
                    .update("INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, at, expires_at)"
                            + " SELECT 'k' || n, 's', 2, 1, 0, n, now(), now() - interval '2 hours' FROM"
                            + " generate_series(1, 2500) n");
            RecordCleaner cleaner = new RecordCleaner(pool);

            assertThat(assertTimeoutPreemptively(ENDLESS, cleaner::clean)).isEqualTo(2_500);
            assertThat(database.inboxRows()).isZero();
        }

        @Test
        void recordsAreCreatedWrittenAndCleaned() {
            RecordSchema schema = new RecordSchema(pool);
            schema.create();
            schema.check();
            PostgresIdempotencyStore store = new PostgresIdempotencyStore(pool);
            RecordId record = lease("k", 1).record();

            Claim claim = store.acquire(new AcquireRequest(
                    record,
                    OwnerToken.random(new SecureRandom()),
                    Duration.ofSeconds(30),
                    Duration.ofHours(1),
                    Fingerprint.NONE,
                    0,
                    0));
            store.announce(record.scope());
            assertThat(claim)
                    .isInstanceOfSatisfying(
                            Claim.Granted.class, granted -> store.complete(granted.lease(), StoredResult.NONE));

            PostgresIdempotencyStore another = new PostgresIdempotencyStore(database.dataSource());
            assertThat(another.inspectAll(record.key()))
                    .singleElement()
                    .satisfies(kept -> assertThat(kept.state()).isEqualTo(RecordState.COMPLETED));

            database.jdbc()
                    .update("INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, fingerprint,"
                            + " owner, at, expires_at) SELECT 'k' || n, 's', 3, 1, 0, n, '', '', now(),"
                            + " now() - interval '2 days' FROM generate_series(1, 1500) n");
            assertThat(assertTimeoutPreemptively(ENDLESS, new RecordCleaner(pool)::clean))
                    .isEqualTo(1_500);
            assertThat(database.count("SELECT count(*) FROM idem_record")).isOne();
        }
    }
}
