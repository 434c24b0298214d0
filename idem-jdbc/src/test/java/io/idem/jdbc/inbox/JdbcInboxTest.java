package io.idem.jdbc.inbox;

import static io.idem.jdbc.Leases.lease;
import static io.idem.jdbc.Leases.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AttemptPolicy;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Inbox.InboxWork;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.TakeoverPolicy;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.TestDatabase;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

@Tag("servers")
class JdbcInboxTest {

    private static final long OF_A_CLOCK_AHEAD = 1L << 52;
    private static final Effect EFFECT = new Effect(
            StoredResult.of("text", "paid".getBytes(StandardCharsets.UTF_8)),
            List.of(new OutgoingMessage("kafka", "receipts", new byte[] {1, 2, 3})));

    private final TestDatabase database = new TestDatabase();
    private final JdbcTransactionManager manager = new JdbcTransactionManager(database.dataSource());
    private final JdbcInbox inbox = new JdbcInbox(database.dataSource(), manager);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void createTable() {
        new InboxSchema(database.dataSource(), manager).create();
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        database.close();
    }

    @Test
    void workAndItsRowAreCommittedTogether() throws Exception {
        InboxOutcome outcome = inbox.run(request("k", 7), paying("a"));

        assertThat(outcome).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(database.ledger()).containsExactly("a");
        assertThat(database.jdbc().queryForObject("SELECT fence FROM idem_record", Long.class))
                .isGreaterThan(7);
    }

    @Test
    void theRowIsClaimedBeforeTheWorkStarts() throws Exception {
        inbox.run(request("k", OF_A_CLOCK_AHEAD), mine -> {
            database.jdbc().update("INSERT INTO ledger SELECT fence::text FROM idem_record");
            return Optional.of(EFFECT);
        });

        assertThat(database.ledger()).containsExactly(Long.toString(OF_A_CLOCK_AHEAD));
    }

    @Test
    void workDoneBeforeIsAnsweredWithItsResultAndItsMessages() throws Exception {
        inbox.run(request("k", 7), paying("a"));

        InboxOutcome outcome = inbox.run(request("k", 8), paying("again"));

        assertThat(outcome).isEqualTo(new InboxOutcome.Found(EFFECT));
        assertThat(database.ledger()).containsExactly("a");
    }

    @Test
    void workWithoutResultAndMessagesIsFoundToo() throws Exception {
        Effect nothing = new Effect(StoredResult.NONE, List.of());
        inbox.run(request("k", 7), mine -> Optional.of(nothing));

        assertThat(inbox.run(request("k", 8), paying("again"))).isEqualTo(new InboxOutcome.Found(nothing));
    }

    @Test
    void otherKeysAndScopesAreOtherWork() throws Exception {
        inbox.run(request("k", 7), paying("a"));

        assertThat(inbox.run(request("l", 7), paying("b"))).isInstanceOf(InboxOutcome.Committed.class);
        assertThat(database.ledger()).containsExactly("a", "b");
    }

    @Test
    void anExceptionRollsBackAndGoesOnUnchanged() throws Exception {
        IOException failure = new IOException("card refused");

        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    database.pay("a");
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(database.inboxRows()).isZero();
        assertThat(inbox.run(request("k", 8), paying("b"))).isInstanceOf(InboxOutcome.Committed.class);
    }

    @Test
    void anEmptyAnswerRollsBack() throws Exception {
        InboxOutcome outcome = inbox.run(request("k", 7), mine -> Optional.empty());

        assertThat(outcome).isEqualTo(new InboxOutcome.RolledBack());
        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void aRowIsReadWithoutWaitingForAnOpenTransaction() throws Exception {
        CountDownLatch mayCommit = new CountDownLatch(1);
        Future<InboxOutcome> first = owner(request("k", 7), paying("first", mayCommit));
        await().until(() -> first.isDone() || database.openTransactions() == 1);

        assertThat(inbox.find(lease("k", 7).record())).isEmpty();

        mayCommit.countDown();
        assertThat(first.get()).isEqualTo(new InboxOutcome.Committed(EFFECT));
        assertThat(inbox.find(lease("k", 7).record())).contains(EFFECT);
    }

    /** Work of the earlier version, which takes no lock, is open for the same record. */
    private Future<InboxOutcome> besideTheEarlierVersion(Lease lease, Consumer<Future<InboxOutcome>> meanwhile) {
        return Objects.requireNonNull(new TransactionTemplate(manager).execute(status -> {
            database.jdbc()
                    .update(
                            "INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, at, expires_at)"
                                    + " VALUES (?, 'payments', 2, 1, 0, 1, now(), now() + interval '1 day')",
                            lease.record().key().id());
            Future<InboxOutcome> beside = owner(request(lease), paying("beside"));
            await().until(() -> beside.isDone() || database.waiting() == 1);
            meanwhile.accept(beside);
            return beside;
        }));
    }

    @Test
    void aWaitForTheEarlierVersionThatIsCancelledDefers() throws Exception {
        Future<InboxOutcome> beside = besideTheEarlierVersion(lease("k", 7, Duration.ofHours(1)), waiting -> {
            database.jdbc()
                    .queryForList(
                            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                    + " AND application_name = ?",
                            database.dataSource().getApplicationName());
            await().until(waiting::isDone);
        });

        assertThat(beside.get()).isEqualTo(new InboxOutcome.Open());
        assertThat(database.ledger()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"statement_timeout", "lock_timeout"})
    void aWaitForTheEarlierVersionThatASettingOfTheSessionEndsDefers(String setting) throws Exception {
        database.dataSource().setOptions("-c " + setting + "=2s");

        Future<InboxOutcome> beside =
                besideTheEarlierVersion(lease("k", 7, Duration.ofHours(1)), waiting -> await().until(waiting::isDone));

        assertThat(beside.get()).isEqualTo(new InboxOutcome.Open());
        assertThat(database.ledger()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"statement_timeout", "lock_timeout"})
    void aClaimThatEndsBehindALockOnTheTableTellsNothingOfOtherWork(String setting) throws Exception {
        IdempotencyStore store = new InMemoryIdempotencyStore();
        Operation once = Operation.of(
                        IdempotencyKey.of("k"),
                        new Scope("payments"),
                        ExecutionPolicy.of(Duration.ofHours(1), Duration.ofDays(1))
                                .withAttempts(AttemptPolicy.DEFAULT.withTakeover(new TakeoverPolicy.Reject())))
                .withInbox(inbox);
        try (IdempotentExecutor executor = IdempotentExecutor.on(store).build()) {
            new TransactionTemplate(manager).executeWithoutResult(status -> {
                database.jdbc().execute("LOCK TABLE idem_record IN SHARE MODE");
                database.dataSource().setOptions("-c " + setting + "=200ms");
                Future<?> beside = threads.submit(() -> executor.execute(once, context -> {
                    throw new AssertionError("ran");
                }));
                assertThatThrownBy(beside::get)
                        .cause()
                        .isInstanceOfSatisfying(
                                StoreUnavailableException.class,
                                silent -> assertThat(silent.execution())
                                        .isEqualTo(StoreUnavailableException.Execution.NOT_EXECUTED));
            });
            database.dataSource().setOptions("");

            assertThat(store.inspect(once.record()))
                    .hasValueSatisfying(record -> assertThat(record.state()).isEqualTo(RecordState.FAILED));
            assertThat(executor.execute(once, context -> {
                        database.pay("a");
                        return new WorkResult.Complete<>("paid", StoredResult.NONE);
                    }))
                    .isInstanceOf(Outcome.Executed.class);
        }
        assertThat(database.ledger()).containsExactly("a");
    }

    @Test
    void aConnectionKilledDuringTheWorkIsAFailureWithoutEffect() {
        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    database.pay("a");
                    killOwnSession();
                    database.pay("b");
                    return Optional.of(EFFECT);
                }))
                .isInstanceOf(DataAccessException.class);

        assertThat(database.ledger()).isEmpty();
        assertThat(database.inboxRows()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void aRowThatIsCommittedDuringTheClaimIsFoundAtEveryIsolationLevel(String level) throws Exception {
        database.dataSource().setOptions("-c default_transaction_isolation=" + level.replace(" ", "\\ "));

        Future<InboxOutcome> beside = besideTheEarlierVersion(lease("k", 7, Duration.ofHours(1)), waiting -> {});

        assertThat(beside.get()).isEqualTo(new InboxOutcome.Found(new Effect(StoredResult.NONE, List.of())));
        assertThat(database.ledger()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aClaimThatADeadlockEndedIsMadeAgainAndTheWorkRunsOnce(int deadlocks) throws Exception {
        deadlocksOfClaims(deadlocks);

        assertThat(inbox.run(request("k", 7), paying("a"))).isEqualTo(new InboxOutcome.Committed(EFFECT));

        assertThat(database.ledger()).containsExactly("a");
    }

    @Test
    void aClaimThatEndsInADeadlockFiveTimesIsAFailureWithoutEffect() {
        deadlocksOfClaims(5);

        assertThatThrownBy(() -> inbox.run(request("k", 7), paying("a"))).hasStackTraceContaining("chosen by a test");

        assertThat(database.ledger()).isEmpty();
        assertThat(database.inboxRows()).isZero();
        assertThat(database.count("SELECT last_value FROM claims")).isEqualTo(5);
    }

    /** Numbers of a sequence outlast the transactions that drew them. */
    private void deadlocksOfClaims(int number) {
        database.jdbc().execute("""
                        CREATE SEQUENCE claims;
                        CREATE FUNCTION end_in_deadlock() RETURNS trigger LANGUAGE plpgsql AS $$
                        BEGIN
                            IF nextval('claims') <= %d THEN
                                RAISE EXCEPTION 'chosen by a test' USING ERRCODE = '40P01';
                            END IF;
                            RETURN NEW;
                        END $$;
                        CREATE TRIGGER end_in_deadlock BEFORE INSERT ON idem_record
                            FOR EACH ROW EXECUTE FUNCTION end_in_deadlock()
                        """.formatted(number));
    }

    @Test
    void aDatabaseThatDoesNotAnswerTheClaimMeansThatNothingWasRun() {
        JdbcInbox unlucky = inbox;
        database.jdbc().execute("DROP TABLE idem_record");

        assertThatThrownBy(() -> unlucky.run(request("k", 7), mine -> {
                    throw new AssertionError("ran");
                }))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        silent -> assertThat(silent.execution())
                                .isEqualTo(StoreUnavailableException.Execution.NOT_EXECUTED));
    }

    @Test
    void anExceptionOfAnyKindBeforeTheClaimMeansThatNothingWasRun() {
        IllegalStateException ofHibernate = new IllegalStateException("unable to acquire a connection");
        JdbcTransactionManager broken = new JdbcTransactionManager(database.dataSource()) {
            @Override
            protected void doBegin(Object transaction, TransactionDefinition definition) {
                throw ofHibernate;
            }
        };

        assertThatThrownBy(() -> new JdbcInbox(database.dataSource(), broken).run(request("k", 7), mine -> {
                    throw new AssertionError("ran");
                }))
                .hasCause(ofHibernate)
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        silent -> assertThat(silent.execution())
                                .isEqualTo(StoreUnavailableException.Execution.NOT_EXECUTED));
    }

    @Test
    void aRollBackThatFailsChangesNoAnswer() throws Exception {
        inbox.run(request("k", 7), paying("a"));
        JdbcTransactionManager cutOff = new JdbcTransactionManager(database.dataSource()) {
            @Override
            protected void doRollback(DefaultTransactionStatus status) {
                super.doRollback(status);
                throw new TransactionSystemException("connection lost");
            }
        };
        JdbcInbox unlucky = new JdbcInbox(database.dataSource(), cutOff);

        assertThat(unlucky.run(request("k", 8), paying("again"))).isEqualTo(new InboxOutcome.Found(EFFECT));
        assertThat(unlucky.run(request("l", 8), mine -> Optional.empty())).isEqualTo(new InboxOutcome.RolledBack());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void inboxesInTwoSchemasOfOneDatabaseDoNotBlockEachOther(boolean alone) throws Exception {
        try (TestDatabase elsewhere = new TestDatabase()) {
            JdbcTransactionManager itsManager = new JdbcTransactionManager(elsewhere.dataSource());
            new InboxSchema(elsewhere.dataSource(), itsManager).create();
            JdbcInbox there = new JdbcInbox(elsewhere.dataSource(), itsManager);
            InboxStore store = new InboxStore(elsewhere.dataSource());
            JdbcInbox here = alone ? inbox.asStore(new InboxStore(database.dataSource())) : inbox;
            CountDownLatch began = new CountDownLatch(1);
            CountDownLatch mayCommit = new CountDownLatch(1);
            Future<InboxOutcome> first = threads.submit(() -> here.run(request("k", 7), mine -> {
                began.countDown();
                return paying("a", mayCommit).run(mine);
            }));
            began.await();

            assertThat((alone ? there.asStore(store) : there).run(request("k", 8), mine -> Optional.of(EFFECT)))
                    .isEqualTo(new InboxOutcome.Committed(EFFECT));

            mayCommit.countDown();
            assertThat(first.get()).isEqualTo(new InboxOutcome.Committed(EFFECT));
        }
    }

    @Test
    void workThatRemovesItsOwnRowIsRolledBack() {
        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    database.pay("a");
                    database.jdbc().update("DELETE FROM idem_record");
                    return Optional.of(EFFECT);
                }))
                .hasMessageContaining("is gone before its commit");

        assertThat(database.ledger()).isEmpty();
    }

    private InboxWork paying(String entry) {
        return paying(entry, new CountDownLatch(0));
    }

    private InboxWork paying(String entry, CountDownLatch mayCommit) {
        return mine -> {
            database.pay(entry);
            mayCommit.await();
            return Optional.of(EFFECT);
        };
    }

    private Future<InboxOutcome> owner(Request request, InboxWork work) {
        Callable<InboxOutcome> run = () -> inbox.run(request, work);
        return threads.submit(run);
    }

    private void killOwnSession() {
        int session = database.count("SELECT pg_backend_pid()");
        // Conditions run on a thread of their own, so outside the transaction.
        await().until(() ->
                database.count("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid = ?", session)
                        == 0);
    }
}
