package io.idem.test.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.servers.SharedServers;
import io.idem.servers.proxy.TcpProxy;
import io.idem.spi.IdempotencyStore;
import java.net.URI;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What PostgreSQL has of its own: transactions, pools, broken connections. */
@Tag("servers")
class PostgresStoreTest {

    private static final int THREADS = 16;
    private static final int ROUNDS = 25;
    private static final StoredResult RECEIPT = StoredResult.of("text", new byte[] {1});

    private final PostgresStoreHarness harness = new PostgresStoreHarness();
    private final IdempotencyStore store = harness.store();
    private final RecordId record = someRecord();

    @AfterEach
    void stop() {
        harness.stop();
    }

    private static RecordId someRecord() {
        return new RecordId(IdempotencyKey.of(UUID.randomUUID().toString()), new Scope("payments"));
    }

    private static AcquireRequest request(RecordId record) {
        return new AcquireRequest(
                record,
                OwnerToken.random(new SecureRandom()),
                Duration.ofMinutes(10),
                Duration.ofHours(24),
                Fingerprint.NONE,
                0,
                0);
    }

    private static Lease granted(Claim claim) {
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return ((Claim.Granted) claim).lease();
    }

    private static void assertUnavailable(Execution execution, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        unavailable -> assertThat(unavailable.execution()).isEqualTo(execution));
    }

    @Test
    void ofManyWhoAskAgainAndAgainOneIsGrantedEachTime() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                List<Lease> leases = new ArrayList<>();
                Callable<Claim> caller = () -> store.acquire(request(record));
                for (Future<Claim> answer : threads.invokeAll(Collections.nCopies(THREADS, caller))) {
                    if (answer.get() instanceof Claim.Granted grant) {
                        leases.add(grant.lease());
                    }
                }
                assertThat(leases).as("grants of round %s", round).hasSize(1);
                assertThat(leases.get(0).attempt()).isEqualTo(round + 1);
                store.fail(leases.get(0), Duration.ZERO);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aRecordOutlivesTheRollBackOfTheWorkThatItIsAbout() {
        TransactionTemplate work = new TransactionTemplate(new DataSourceTransactionManager(harness.dataSource()));

        work.executeWithoutResult(status -> {
            granted(store.acquire(request(record)));
            status.setRollbackOnly();
        });

        assertThat(store.inspect(record)).isPresent();
    }

    @Test
    void aConnectionWithoutAutomaticCommitIsCommittedAndHandedBackAsItWas() throws Exception {
        try (Connection connection = harness.dataSource().getConnection()) {
            connection.setAutoCommit(false);
        }

        granted(store.acquire(request(record)));

        try (Connection connection = harness.dataSource().getConnection()) {
            assertThat(connection.getAutoCommit()).isFalse();
            connection.setAutoCommit(true);
        }
        JdbcTemplate another = new JdbcTemplate(PostgresStoreHarness.newDataSource(harness.schema()));
        assertThat(another.queryForObject("SELECT count(*) FROM idem_record", Integer.class))
                .isOne();
    }

    @Test
    void anExhaustedPoolMeansThatNothingWasExecutedAndIsNamed() throws Exception {
        ReusedConnections onlyOne =
                new ReusedConnections(PostgresStoreHarness.newDataSource(harness.schema()), 1, Duration.ZERO);
        PostgresIdempotencyStore cramped = new PostgresIdempotencyStore(onlyOne);
        try (Connection ofTheWork = onlyOne.getConnection()) {
            assertThat(ofTheWork.isClosed()).isFalse();
            assertThatThrownBy(() -> cramped.acquire(request(record)))
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            refused -> assertThat(refused.execution()).isEqualTo(Execution.NOT_EXECUTED))
                    .hasMessageContaining("exhausted")
                    .hasMessageContaining("idemDataSource");
        }

        granted(cramped.acquire(request(record)));
        onlyOne.close();
    }

    @Test
    void stricterDefaultsOfTheDatabaseChangeNothing() throws Exception {
        PGSimpleDataSource strict = PostgresStoreHarness.newDataSource(harness.schema());
        strict.setOptions("-c default_transaction_isolation=serializable");
        PostgresIdempotencyStore serializable = new PostgresIdempotencyStore(new ReusedConnections(strict));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            Callable<Claim> caller = () -> serializable.acquire(request(record));
            int grants = 0;
            for (Future<Claim> answer : threads.invokeAll(Collections.nCopies(THREADS, caller))) {
                grants += answer.get() instanceof Claim.Granted ? 1 : 0;
            }
            assertThat(grants).isOne();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aDatabaseThatIsAwayExecutedNothing() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://127.0.0.1:1/none");

        assertUnavailable(Execution.NOT_EXECUTED, () -> new PostgresIdempotencyStore(nowhere).acquire(request(record)));
    }

    @Test
    void aMissingTableExecutedNothing() {
        harness.jdbc().execute("ALTER TABLE idem_record RENAME TO elsewhere");
        try {
            assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record)));
        } finally {
            harness.jdbc().execute("ALTER TABLE elsewhere RENAME TO idem_record");
        }
    }

    @Test
    void anAnswerThatWasLostIsUnknownAndTheRepeatedAcquireRecognisesItself() {
        URI server = URI.create(SharedServers.postgres().jdbcUrl().substring("jdbc:".length()));
        try (TcpProxy proxy = TcpProxy.to(server.getHost(), server.getPort())) {
            PGSimpleDataSource source = PostgresStoreHarness.newDataSource(harness.schema());
            source.setServerNames(new String[] {proxy.host()});
            source.setPortNumbers(new int[] {proxy.port()});
            PostgresIdempotencyStore behindProxy = new PostgresIdempotencyStore(source);
            AcquireRequest request = request(record);
            CompletableFuture<Void> lost = proxy.loseReplyTo(record.key().id());

            assertUnavailable(Execution.UNKNOWN, () -> behindProxy.acquire(request));
            assertThat(lost).isDone();

            assertThat(behindProxy.acquire(request)).isInstanceOfSatisfying(Claim.Granted.class, again -> {
                assertThat(again.kind()).isEqualTo(GrantKind.REENTRANT);
                assertThat(again.lease().attempt()).isOne();
            });
        }
    }

    @Test
    void aCompletionWhoseAnswerWasLostIsRepeatedToTheSameEnd() {
        URI server = URI.create(SharedServers.postgres().jdbcUrl().substring("jdbc:".length()));
        try (TcpProxy proxy = TcpProxy.to(server.getHost(), server.getPort())) {
            PGSimpleDataSource source = PostgresStoreHarness.newDataSource(harness.schema());
            source.setServerNames(new String[] {proxy.host()});
            source.setPortNumbers(new int[] {proxy.port()});
            PostgresIdempotencyStore behindProxy = new PostgresIdempotencyStore(source);
            Lease lease = granted(store.acquire(request(record)));
            CompletableFuture<Void> lost = proxy.loseReplyTo(record.key().id());

            assertUnavailable(Execution.UNKNOWN, () -> behindProxy.complete(lease, RECEIPT));
            assertThat(lost).isDone();

            assertThat(behindProxy.complete(lease, StoredResult.NONE)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
        }
    }

    @Test
    void aDatabaseShutDownUnderTheCallIsUnknownAtWorst() {
        harness.jdbc().queryForObject("SELECT 1", Integer.class);
        JdbcTemplate killer = new JdbcTemplate(PostgresStoreHarness.newDataSource(harness.schema()));
        killer.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        + " AND query LIKE 'SELECT 1%'",
                row -> {});

        assertThatThrownBy(() -> store.acquire(request(record))).isInstanceOf(StoreUnavailableException.class);

        granted(store.acquire(request(record)));
    }

    @Test
    void recordsWhoseRetentionEndedAreDeletedAndTheOthersStay() {
        store.complete(granted(store.acquire(request(record))), RECEIPT);
        harness.advance(Duration.ofHours(28));
        RecordId young = someRecord();
        granted(store.acquire(request(young)));

        assertThat(new RecordCleaner(harness.dataSource()).clean()).isOne();

        assertThat(harness.jdbc().queryForObject("SELECT count(*) FROM idem_record", Integer.class))
                .isOne();
        assertThat(store.inspect(young)).isPresent();
    }

    @Test
    void fencesGrowAcrossAnExpiredRowAlsoWhenTheClockWasAhead() {
        long ahead = 1L << 52;
        Lease lease = granted(store.acquire(request(record)));
        harness.jdbc().update("UPDATE idem_record SET fence = ?", ahead);
        harness.advance(Duration.ofHours(25));

        Lease next = granted(store.acquire(request(record)));

        assertThat(next.attempt()).isOne();
        assertThat(next.fence()).isGreaterThan(ahead).isGreaterThan(lease.fence());
    }

    @Test
    void aReasonMayHoldAnyCharacter() {
        Lease lease = granted(store.acquire(request(record)));

        store.reject(lease, "no\0way");

        assertThat(store.inspect(record).orElseThrow())
                .satisfies(found -> assertThat(found.state()).isEqualTo(RecordState.REJECTED))
                .satisfies(found -> assertThat(found.reason()).isEqualTo("no\ufffdway"));
    }
}
