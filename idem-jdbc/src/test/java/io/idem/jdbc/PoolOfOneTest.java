package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.AttemptPolicy;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.InboxTransaction;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Work whose transaction is its last phase, with a pool of a single connection: nothing else may hold it. */
@Tag("servers")
class PoolOfOneTest {

    private static final int THREADS = 8;
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Duration LEASE = Duration.ofMinutes(10);

    /** Short enough that it is renewed while a test waits for that. */
    private static final Duration BRIEF = Duration.ofSeconds(5);

    private final TestDatabase database = new TestDatabase();
    private final HikariDataSource pool = database.pool(1);
    private final JdbcTransactionManager manager = new JdbcTransactionManager(pool);
    private final JdbcTemplate joining = new JdbcTemplate(pool);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(now::get);
    private final AtomicLong nanos = new AtomicLong();
    private final InboxStore rows = new InboxStore(pool);

    @BeforeEach
    void createTables() {
        pool.setConnectionTimeout(SOON.toMillis());
        new InboxSchema(pool, manager).create();
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        database.close();
    }

    /** Forms of an inbox, which differ in the store that grants the leases. */
    enum Form {
        STORE_AND_INBOX,
        INBOX_ALONE
    }

    private IdempotencyStore store(Form form) {
        return form == Form.INBOX_ALONE ? rows : memory;
    }

    private IdempotentExecutor executor(Form form) {
        JdbcInbox inbox = new JdbcInbox(pool, manager);
        return IdempotentExecutor.on(store(form))
                .inbox(form == Form.INBOX_ALONE ? inbox.asStore(rows) : inbox)
                .build();
    }

    private static Operation operation(String key, Duration lease) {
        AttemptPolicy lastPhase = AttemptPolicy.DEFAULT.withTransaction(InboxTransaction.LAST_PHASE);
        return Operation.of(
                IdempotencyKey.of(key),
                new Scope("payments"),
                ExecutionPolicy.of(lease, Duration.ofHours(24)).withAttempts(lastPhase));
    }

    private WorkResult<String> booked(String entry) {
        int unused = joining.update("INSERT INTO ledger VALUES (?)", entry);
        return new WorkResult.Complete<>(entry, StoredResult.NONE);
    }

    private int inUse() {
        return pool.getHikariPoolMXBean().getActiveConnections();
    }

    @ParameterizedTest
    @EnumSource
    void stepsOfManyThreadsHoldNoConnection(Form form) throws Exception {
        CountDownLatch inStep = new CountDownLatch(THREADS);
        CountDownLatch goOn = new CountDownLatch(1);
        try (IdempotentExecutor executor = executor(form)) {
            List<Future<Outcome<String>>> outcomes = new ArrayList<>();
            for (String key : keys()) {
                outcomes.add(threads.submit(() -> executor.execute(operation(key, BRIEF), paying(key, inStep, goOn))));
            }
            awaitOpen(inStep);
            awaitRenewals(form);

            assertThat(joining.queryForList("SELECT entry FROM ledger")).isEmpty();
            goOn.countDown();
            for (Future<Outcome<String>> outcome : outcomes) {
                assertThat(outcome.get(SOON.toMillis(), TimeUnit.MILLISECONDS)).isInstanceOf(Outcome.Executed.class);
            }
        }
        assertThat(database.ledger()).isEqualTo(keys());
        assertThat(database.count("SELECT count(*) FROM idem_record WHERE steps IS NOT NULL"))
                .isZero();
        assertThat(inUse()).isZero();
    }

    private static List<String> keys() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            keys.add("k-" + i);
        }
        return keys;
    }

    private Work<String> paying(String key, CountDownLatch inStep, CountDownLatch goOn) {
        return attempt -> {
            String charged = attempt.step("charge", String.class, step -> {
                inStep.countDown();
                awaitOpen(goOn);
                return key;
            });
            return attempt.inTransaction(() -> booked(charged));
        };
    }

    private static void awaitOpen(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    }

    /** Waits until every lease was renewed through the one connection, where they are rows. */
    private void awaitRenewals(Form form) {
        if (form == Form.STORE_AND_INBOX) {
            return;
        }
        for (String key : keys()) {
            Instant end = leaseEnd(key);
            await().atMost(SOON).until(() -> leaseEnd(key).isAfter(end));
        }
    }

    private Instant leaseEnd(String key) {
        return rows.inspect(operation(key, BRIEF).record()).orElseThrow().at();
    }

    @ParameterizedTest
    @EnumSource
    void aFailureInsideTheTransactionGivesTheConnectionBack(Form form) {
        assertThatThrownBy(() -> execute(
                        form,
                        attempt -> attempt.inTransaction(() -> {
                            booked("refused");
                            throw new IllegalStateException("no cover");
                        })))
                .hasMessage("no cover");
        requireNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void aFailureBehindTheTransactionGivesTheConnectionBack(Form form) {
        assertThatThrownBy(() -> execute(form, attempt -> {
                    attempt.inTransaction(() -> booked("refused"));
                    throw new IllegalStateException("too late");
                }))
                .hasMessage("too late");
        requireNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void anErrorInsideTheTransactionGivesTheConnectionBack(Form form) {
        assertThatThrownBy(() -> execute(
                        form,
                        attempt -> attempt.inTransaction(() -> {
                            booked("refused");
                            throw new StackOverflowError("deep");
                        })))
                .isInstanceOf(StackOverflowError.class);
        requireNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void anErrorBehindTheTransactionGivesTheConnectionBack(Form form) {
        assertThatThrownBy(() -> execute(form, attempt -> {
                    attempt.inTransaction(() -> booked("refused"));
                    throw new StackOverflowError("deep");
                }))
                .isInstanceOf(StackOverflowError.class);
        requireNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void aReleaseGivesTheConnectionBack(Form form) throws Exception {
        Outcome<String> outcome = execute(
                form,
                attempt -> attempt.inTransaction(() -> {
                    booked("refused");
                    return new WorkResult.Release<>("later", Duration.ZERO);
                }));

        assertThat(outcome).isInstanceOf(Outcome.Released.class);
        requireNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void aRejectionGivesTheConnectionBack(Form form) throws Exception {
        Outcome<String> outcome = execute(
                form,
                attempt -> attempt.inTransaction(() -> {
                    booked("refused");
                    return new WorkResult.Reject<>("never", "no cover");
                }));

        assertThat(outcome).isInstanceOf(Outcome.RejectedNow.class);
        requireNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void aLeaseLostBeforeTheTransactionLeavesNoConnection(Form form) throws Exception {
        Outcome<String> outcome = execute(form, attempt -> {
            charged(attempt);
            lapse();
            execute(form, successor -> {
                charged(successor);
                return successor.inTransaction(() -> booked("successor"));
            });
            return attempt.inTransaction(() -> booked("stale"));
        });

        assertThat(outcome).isInstanceOf(Outcome.Replayed.class);
        assertThat(database.ledger()).containsExactly("successor");
        assertThat(inUse()).isZero();
    }

    private static void charged(IdempotencyContext attempt) {
        String unused = attempt.step("charge", String.class, step -> "receipt");
    }

    /** Ends the leases of everybody, as if their processes had been paused. */
    private void lapse() {
        now.updateAndGet(moment -> moment.plus(LEASE).plusSeconds(1));
        int unused = joining.update("UPDATE idem_record SET at = now()");
    }

    @ParameterizedTest
    @EnumSource
    void aCommitThatFailsGivesTheConnectionBack(Form form) {
        database.jdbc().execute("ALTER TABLE ledger ADD CONSTRAINT once UNIQUE (entry) DEFERRABLE INITIALLY DEFERRED");

        assertThatThrownBy(() -> execute(
                        form,
                        attempt -> attempt.inTransaction(() -> {
                            booked("twice");
                            return booked("twice");
                        })))
                .hasMessageContaining("once");
        requireNothingLeft();
    }

    @Test
    void aTransactionThatOutlivesItsLeaseOnTheLastConnectionCommits() throws Exception {
        Outcome<String> outcome = executeAlone(attempt -> attempt.inTransaction(() -> {
            nanos.addAndGet(LEASE.toNanos());
            assertThat(attempt.stillOwner()).isTrue();
            return booked("slow");
        }));

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(database.ledger()).containsExactly("slow");
    }

    @Test
    void aLeaseThatIsOverCountsAgainWhenTheTransactionIsRolledBack() {
        assertThatThrownBy(() -> executeAlone(attempt -> {
                    try {
                        return attempt.inTransaction(() -> {
                            nanos.addAndGet(LEASE.toNanos());
                            throw new IllegalStateException("no cover");
                        });
                    } finally {
                        assertThat(attempt.stillOwner()).isFalse();
                    }
                }))
                .hasMessage("no cover");
        requireNothingLeft();
    }

    /** Runs work in the inbox as the only store. */
    private Outcome<String> executeAlone(Work<String> work) throws Exception {
        JdbcInbox inbox = new JdbcInbox(pool, manager).asStore(rows);
        try (IdempotentExecutor executor =
                IdempotentExecutor.on(rows).inbox(inbox).clock(nanos::get).build()) {
            return executor.execute(operation("k", LEASE), work);
        }
    }

    private Outcome<String> execute(Form form, Work<String> work) throws Exception {
        try (IdempotentExecutor executor = executor(form)) {
            return executor.execute(operation("k", LEASE), work);
        }
    }

    private void requireNothingLeft() {
        assertThat(inUse()).isZero();
        assertThat(database.ledger()).isEmpty();
    }
}
