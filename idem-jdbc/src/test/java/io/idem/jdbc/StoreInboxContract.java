package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AttemptPolicy;
import io.idem.Backoff;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.outbox.RecordingTransport;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;
import io.idem.spi.ForcedEnd;
import io.idem.spi.RecordLister.Listed;
import io.idem.spi.RecordLister;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The engine on an inbox that is the store, on every database. */
abstract class StoreInboxContract {

    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Scope SCOPE = new Scope("payments");
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofMinutes(1), Duration.ofHours(24));
    private static final RecordId RECORD = new RecordId(IdempotencyKey.of("k"), SCOPE);
    private static final StoredResult RECEIPT = StoredResult.of("text", "paid".getBytes(StandardCharsets.UTF_8));
    private static final OutgoingMessage SETTLED = new OutgoingMessage("rabbit", "settled", new byte[] {1});
    private static final Fingerprint TEN = Fingerprint.of("10 EUR".getBytes(StandardCharsets.UTF_8));
    private static final Fingerprint TWENTY = Fingerprint.of("20 EUR".getBytes(StandardCharsets.UTF_8));
    private static final Work<String> NOT_AGAIN = context -> {
        throw new AssertionError("ran although it must not");
    };

    private final RecordingTransport broker = new RecordingTransport("rabbit");
    private final List<Claim> claims = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private InboxDatabase database;
    private InboxStore store;
    private JdbcInbox inbox;
    private IdempotentExecutor executor;

    abstract InboxDatabase open();

    @BeforeEach
    void createTables() {
        database = open();
        JdbcTransactionManager manager = new JdbcTransactionManager(database.dataSource());
        InboxSchema schema = new InboxSchema(database.dataSource(), manager);
        schema.create();
        schema.checkAsStore();
        store = new InboxStore(database.dataSource());
        inbox = new JdbcInbox(database.dataSource(), manager).asStore(store);
        executor = IdempotentExecutor.on(store)
                .inbox(inbox)
                .transports(() -> List.of(broker))
                .listeners(List.of(this::note))
                .build();
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        executor.close();
        database.close();
    }

    private void note(IdempotencyEvent event) {
        if (event instanceof IdempotencyEvent.Claimed claimed) {
            claims.add(claimed.claim());
        }
    }

    private static Operation operation() {
        return operation(POLICY);
    }

    private static Operation operation(ExecutionPolicy policy) {
        return Operation.of(RECORD.key(), SCOPE, policy).withFingerprint(TEN);
    }

    private static ExecutionPolicy backingOff() {
        return POLICY.withAttempts(
                AttemptPolicy.DEFAULT.withBackoff(Backoff.exponential(Duration.ofHours(1), Duration.ofHours(1))));
    }

    private Work<String> paying() {
        return context -> {
            database.jdbc().update("INSERT INTO ledger VALUES (?)", "attempt " + context.attempt());
            return new WorkResult.Complete<>("paid", RECEIPT);
        };
    }

    private void failOnce(ExecutionPolicy policy) {
        assertThatThrownBy(() -> executor.execute(operation(policy), context -> {
                    paying().run(context);
                    throw new IllegalStateException("card refused");
                }))
                .hasMessage("card refused");
    }

    private RecordSnapshot record() {
        return store.inspect(RECORD).orElseThrow();
    }

    @Test
    void recordsAreNotAskedForInsideWork() {
        assertThatThrownBy(() -> executor.execute(operation(), context -> {
                    Optional<RecordSnapshot> unused = store.inspect(RECORD);
                    return paying().run(context);
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ask before or after the work");

        assertThat(database.ledger()).isEmpty();
    }

    @Test
    void workRunsOnceAndDuplicatesAreAnsweredFromTheRow() throws Exception {
        assertThat(executor.execute(operation(), paying())).isEqualTo(new Outcome.Executed<>("paid", RECEIPT));
        assertThat(executor.execute(operation(), NOT_AGAIN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));

        assertThat(database.ledger()).containsExactly("attempt 1");
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(record().result()).isEqualTo(RECEIPT);
        assertThat(record().fingerprint()).isEqualTo(TEN);
        assertThat(claims)
                .satisfiesExactly(
                        first -> assertThat(first)
                                .isInstanceOfSatisfying(
                                        Claim.Granted.class,
                                        granted -> assertThat(granted.kind()).isEqualTo(Claim.GrantKind.FRESH)),
                        second -> assertThat(second).isInstanceOf(Claim.Replay.class));
    }

    @Test
    void anotherPayloadIsRefused() throws Exception {
        executor.execute(operation(), paying());

        assertThat(executor.execute(operation().withFingerprint(TWENTY), NOT_AGAIN))
                .isEqualTo(new Outcome.Mismatch<>());
        assertThat(executor.execute(operation().withFingerprint(Fingerprint.NONE), NOT_AGAIN))
                .isEqualTo(new Outcome.Replayed<>(RECEIPT));
    }

    @Test
    void aDuplicateOfWorkUnderWayIsToldAtOnce() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Future<Outcome<String>> first = threads.submit(() -> executor.execute(operation(), context -> {
            began.countDown();
            mayEnd.await();
            return paying().run(context);
        }));
        began.await();

        assertThat(executor.execute(operation(), NOT_AGAIN)).isEqualTo(new Outcome.InProgress<>(Duration.ofSeconds(1)));
        assertThat(claims).last().isInstanceOf(Claim.InProgress.class);
        assertThat(store.inspect(RECORD)).isEmpty();

        mayEnd.countDown();
        assertThat(first).succeedsWithin(SOON).isInstanceOf(Outcome.Executed.class);
        assertThat(executor.execute(operation(), NOT_AGAIN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
    }

    @Test
    void aFailureIsCountedOnceTheAttemptBesideItHasEnded() throws Exception {
        ExecutionPolicy once = POLICY.withMaxAttempts(1);
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Future<Outcome<String>> first = threads.submit(() -> executor.execute(operation(once), context -> {
            began.countDown();
            mayEnd.await();
            return notEntered(context);
        }));
        began.await();
        Future<StoreAnswer> failure = threads.submit(
                () -> store.fail(new Inbox.Request(Leases.lease("k", 6), TEN), Duration.ZERO, true));

        assertThat(executor.execute(operation(once), NOT_AGAIN)).isInstanceOf(Outcome.InProgress.class);
        assertThat(store.inspect(RECORD)).as("not counted yet").isEmpty();

        mayEnd.countDown();
        assertThat(first).succeedsWithin(SOON).isInstanceOf(Outcome.Released.class);
        assertThat(failure).succeedsWithin(SOON).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(executor.execute(operation(once), NOT_AGAIN)).isEqualTo(new Outcome.Exhausted<>(1));
    }

    @Test
    void aFailureBesideAnAttemptThatTakesEffectNeedsNoCount() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Future<Outcome<String>> first = threads.submit(() -> executor.execute(operation(), context -> {
            began.countDown();
            mayEnd.await();
            return paying().run(context);
        }));
        began.await();
        Future<StoreAnswer> failure = threads.submit(
                () -> store.fail(new Inbox.Request(Leases.lease("k", 6), TEN), Duration.ofHours(1), true));
        mayEnd.countDown();

        assertThat(first).succeedsWithin(SOON).isInstanceOf(Outcome.Executed.class);
        assertThat(failure).succeedsWithin(SOON).isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT));
    }

    @Test
    void aFailureThatIsWrittenTwiceCountsOnce() {
        Inbox.Request attempt = new Inbox.Request(Leases.lease("k", 6), TEN);
        for (int times = 0; times < 2; times++) {
            assertThat(store.fail(attempt, Duration.ZERO, true)).isInstanceOf(StoreAnswer.Ok.class);
        }

        assertThat(record().attempts()).isOne();
    }

    @Test
    void aFailureThatTheDatabaseUndidAtADeadlockIsWrittenAgain() {
        database.undoFailures(2);

        failOnce(POLICY);

        assertThat(record().state()).isEqualTo(RecordState.FAILED);
        assertThat(record().attempts()).isEqualTo(1);
    }

    @Test
    void failedAttemptsAreCountedAndForgivenBySuccess() throws Exception {
        failOnce(POLICY);
        failOnce(POLICY);
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
        assertThat(record().attempts()).isEqualTo(2);

        executor.execute(operation(), paying());

        assertThat(database.ledger()).containsExactly("attempt 3");
        assertThat(failures()).isZero();
        assertThat(claims)
                .filteredOn(Claim.Granted.class::isInstance)
                .extracting(claim -> ((Claim.Granted) claim).kind())
                .containsExactly(Claim.GrantKind.FRESH, Claim.GrantKind.RETRY, Claim.GrantKind.RETRY);
    }

    private int failures() {
        return database.jdbc()
                .queryForList("SELECT key_id FROM idem_record WHERE state <> 2", String.class)
                .size();
    }

    @Test
    void fencesOfAttemptsGrowAndTheFailureKeepsTheGreatest() throws Exception {
        List<Long> fences = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            executor.execute(operation(), context -> {
                fences.add(context.fence());
                return new WorkResult.Release<>("later", Duration.ZERO);
            });
        }

        assertThat(fences).isSorted().doesNotHaveDuplicates();
        assertThat(record().fence()).isEqualTo(fences.get(2));
    }

    @Test
    void theBackOffOfAFailureLetsNoWorkRunBefore() throws Exception {
        failOnce(backingOff());

        assertThat(executor.execute(operation(), NOT_AGAIN))
                .isInstanceOfSatisfying(
                        Outcome.NotYet.class,
                        later -> assertThat(later.retryAfter()).isBetween(Duration.ofMinutes(10), Duration.ofHours(1)));
        assertThat(claims).last().isInstanceOf(Claim.NotYet.class);
    }

    @Test
    void workThatReleasesItsKeyRunsAgainAfterItsDelay() throws Exception {
        assertThat(executor.execute(operation(), context -> new WorkResult.Release<>("later", Duration.ofHours(1))))
                .isEqualTo(new Outcome.Released<>("later", false));

        assertThat(executor.execute(operation(), NOT_AGAIN)).isInstanceOf(Outcome.NotYet.class);
        assertThat(act(OperatorAct.Action.RELEASE).done()).isTrue();
        assertThat(executor.execute(operation(), paying())).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void attemptsThatDoNotCountLeaveNothing() throws Exception {
        ExecutionPolicy twice = POLICY.withMaxAttempts(2);
        for (int i = 0; i < 3; i++) {
            assertThat(executor.execute(operation(twice), StoreInboxContract::notEntered))
                    .isEqualTo(new Outcome.Released<>("to the login", false));
        }
        assertThat(store.inspect(RECORD)).isEmpty();
        failOnce(twice);
        RecordSnapshot failed = record();

        executor.execute(operation(twice), StoreInboxContract::notEntered);

        assertThat(record()).isEqualTo(failed);
        executor.execute(operation(twice), paying());
        assertThat(database.ledger()).containsExactly("attempt 2");
    }

    private static WorkResult<String> notEntered(IdempotencyContext attempt) {
        return WorkResult.Release.uncounted("to the login", "not entered");
    }

    @Test
    void anAttemptThatDoesNotCountIsToldOfWorkThatHasEnded() throws Exception {
        store.reject(new Inbox.Request(Leases.lease("k", 7), TEN), "no such account");

        assertThat(store.fail(new Inbox.Request(Leases.lease("k", 8), TEN), Duration.ZERO, false))
                .isEqualTo(new StoreAnswer.Lost(RecordState.REJECTED, StoredResult.NONE));
        assertThat(act(OperatorAct.Action.REOPEN).done()).isTrue();
        executor.execute(operation(), paying());
        assertThat(store.fail(new Inbox.Request(Leases.lease("k", 8), TEN), Duration.ZERO, false))
                .isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT));
    }

    @Test
    void attemptsAreUsedUpUntilAnOperatorReopensTheRecord() throws Exception {
        ExecutionPolicy twice = POLICY.withMaxAttempts(2);
        failOnce(twice);
        failOnce(twice);

        assertThat(executor.execute(operation(twice), NOT_AGAIN)).isEqualTo(new Outcome.Exhausted<>(2));
        assertThat(act(OperatorAct.Action.REOPEN).done()).isTrue();
        executor.execute(operation(twice), paying());

        assertThat(database.ledger()).containsExactly("attempt 1");
    }

    @Test
    void workThatIsRejectedStaysRejectedUntilAnOperatorReopensIt() throws Exception {
        assertThat(executor.execute(operation(), context -> {
                    paying().run(context);
                    return new WorkResult.Reject<>("no", "no such \u20ac account");
                }))
                .isEqualTo(new Outcome.RejectedNow<>("no", "no such \u20ac account"));

        assertThat(executor.execute(operation(), NOT_AGAIN))
                .isEqualTo(new Outcome.Rejected<>("no such \u20ac account"));
        assertThat(record().state()).isEqualTo(RecordState.REJECTED);
        assertThat(record().reason()).isEqualTo("no such \u20ac account");
        assertThat(database.ledger()).isEmpty();
        assertThat(store.erase(RECORD)).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(record().reason()).isEmpty();
        assertThat(act(OperatorAct.Action.REOPEN).done()).isTrue();
        assertThat(executor.execute(operation(), paying())).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void aFailureThatComesLateChangesNoRejection() throws Exception {
        Lease lease = Leases.lease("k", 7);
        store.reject(new Inbox.Request(lease, TEN), "no such account");
        RecordSnapshot rejected = record();

        assertThat(store.fail(new Inbox.Request(Leases.lease("k", 8), TWENTY), Duration.ofHours(1), true))
                .isEqualTo(new StoreAnswer.Lost(RecordState.REJECTED, StoredResult.NONE));
        assertThat(store.reject(new Inbox.Request(Leases.lease("k", 9), TWENTY), "another reason"))
                .isEqualTo(new StoreAnswer.Lost(RecordState.REJECTED, StoredResult.NONE));

        assertThat(record()).isEqualTo(rejected);
        assertThat(record().state()).isEqualTo(RecordState.REJECTED);
        assertThat(record().reason()).isEqualTo("no such account");
        assertThat(record().attempts()).isEqualTo(1);
    }

    @Test
    void aFailureThatComesAfterTheEffectIsNotCounted() throws Exception {
        executor.execute(operation(), paying());

        assertThat(store.fail(new Inbox.Request(Leases.lease("k", 8), TEN), Duration.ofHours(1), true))
                .isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT));
        assertThat(failures()).isZero();
    }

    @Test
    void aPayloadOtherThanThatOfTheFailedAttemptIsRefused() throws Exception {
        failOnce(POLICY);

        assertThat(executor.execute(operation().withFingerprint(TWENTY), NOT_AGAIN))
                .isEqualTo(new Outcome.Mismatch<>());
        assertThat(executor.execute(operation(), paying())).isInstanceOf(Outcome.Executed.class);
    }

    /** Returns the answer to a call outside of the transaction of the work. */
    private StoreAnswer elsewhere(Supplier<StoreAnswer> call) throws Exception {
        return CompletableFuture.supplyAsync(call, threads).get();
    }

    @Test
    void messagesLeaveAfterTheCommitAndAgainWithEveryDuplicate() throws Exception {
        Work<String> publishing = context -> {
            context.publications().keep(SETTLED);
            assertThat(broker.received()).isEmpty();
            return paying().run(context);
        };

        assertThat(executor.execute(operation(), publishing)).isInstanceOf(Outcome.Executed.class);
        assertThat(broker.received()).containsExactly(SETTLED);
        assertThat(executor.execute(operation(), NOT_AGAIN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        assertThat(broker.received()).containsExactly(SETTLED, SETTLED);
    }

    /** Pays in part and sends its message back. */
    private Work<String> sendingBack() {
        return context -> {
            context.publications().keep(SETTLED);
            context.publications().again();
            return paying().run(context);
        };
    }

    @Test
    void workThatSendsItsMessageBackCommitsAndRunsAgainAsTheNextAttempt() throws Exception {
        assertThat(executor.execute(operation(), sendingBack())).isEqualTo(new Outcome.Released<>("paid", true));

        assertThat(broker.received()).containsExactly(SETTLED);
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
        assertThat(record().attempts()).isEqualTo(1);
        assertThat(database.jdbc().queryForList("SELECT key_id FROM idem_record WHERE outgoing IS NOT NULL"))
                .isEmpty();
        assertThat(executor.execute(operation(), paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(database.ledger()).containsExactlyInAnyOrder("attempt 1", "attempt 2");
        assertThat(failures()).isZero();
    }

    @Test
    void attemptsThatSendTheirMessageBackAreCounted() throws Exception {
        ExecutionPolicy twice = POLICY.withMaxAttempts(2);
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThat(executor.execute(operation(twice), sendingBack())).isInstanceOf(Outcome.Released.class);
        }

        assertThat(executor.execute(operation(twice), NOT_AGAIN)).isEqualTo(new Outcome.Exhausted<>(2));
    }

    @Test
    void aMessageThatADeadProcessSentBackLeavesWithTheNextDelivery() throws Exception {
        broker.killPublishers();
        assertThatThrownBy(() -> executor.execute(operation(), sendingBack()))
                .isInstanceOf(RecordingTransport.Killed.class);
        broker.comeBack();
        assertThat(record().state()).isEqualTo(RecordState.FAILED);

        assertThat(executor.execute(operation(), NOT_AGAIN)).isInstanceOf(Outcome.Replayed.class);

        assertThat(broker.received()).containsExactly(SETTLED);
        assertThat(executor.execute(operation(), paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aDuplicateWhoseMessagesAreNotConfirmedIsDeferred() throws Exception {
        executor.execute(operation(), context -> {
            context.publications().keep(SETTLED);
            return paying().run(context);
        });
        broker.goAway();

        ExecutionPolicy impatient = ExecutionPolicy.of(Duration.ofMillis(300), Duration.ofHours(24));
        assertThat(executor.execute(operation(impatient), NOT_AGAIN)).isInstanceOf(Outcome.InProgress.class);
    }

    @Test
    void aDatabaseThatDoesNotAnswerTheClaimMeansThatNothingWasRunOrCounted() {
        database.jdbc().execute("ALTER TABLE idem_record RENAME TO idem_elsewhere");

        assertThatThrownBy(() -> executor.execute(operation(), NOT_AGAIN))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        silent -> assertThat(silent.execution())
                                .isEqualTo(StoreUnavailableException.Execution.NOT_EXECUTED));
        database.jdbc().execute("ALTER TABLE idem_elsewhere RENAME TO idem_record");
        assertThat(failures()).isZero();
    }

    @Test
    void anOperatorCompletesFailedWorkForGood() throws Exception {
        failOnce(backingOff());

        assertThat(act(OperatorAct.Action.COMPLETE).done()).isTrue();

        assertThat(executor.execute(operation(), NOT_AGAIN)).isEqualTo(new Outcome.Replayed<>(StoredResult.OMITTED));
        assertThat(executor.execute(operation().withFingerprint(TWENTY), NOT_AGAIN))
                .isEqualTo(new Outcome.Mismatch<>());
        assertThat(failures()).isZero();
    }

    @Test
    void anOperatorWhoKnowsTheInboxCompletesFailedWorkToo() {
        failOnce(backingOff());

        OperatorAct act = new RecordOperator(
                        store, scope -> POLICY.retention(), audited -> {}, () -> Optional.of(inbox), result -> {})
                .act(OperatorAct.Action.COMPLETE, RECORD, "anna", "the ledger has it");

        assertThat(act.done()).isTrue();
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aForcedCompletionBesideWorkUnderWayIsToldThatItIsPending() throws Exception {
        failOnce(POLICY);
        long failed = record().fence();

        executor.execute(operation(), context -> {
            assertThat(elsewhere(() -> store.force(RECORD, failed, ForcedEnd.COMPLETED, Duration.ofHours(1))))
                    .isEqualTo(new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE));
            return paying().run(context);
        });
    }

    @Test
    void aForcedCompletionThatComesAfterTheEffectIsToldItsResult() {
        failOnce(POLICY);
        Queue<Runnable> beforeConnections = new ArrayDeque<>();
        InboxStore slow = new InboxStore(new DelegatingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                Runnable next = beforeConnections.poll();
                if (next != null) {
                    next.run();
                }
                return super.getConnection();
            }
        });
        Runnable works = () -> assertThat(threads.submit(() -> executor.execute(operation(), paying())))
                .succeedsWithin(SOON)
                .isInstanceOf(Outcome.Executed.class);
        beforeConnections.addAll(List.of(() -> {}, works));

        assertThat(slow.force(RECORD, record().fence(), ForcedEnd.COMPLETED, Duration.ofHours(1)))
                .isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT));
    }

    @Test
    void anOperatorCannotCompleteWorkUnderWay() throws Exception {
        failOnce(POLICY);
        executor.execute(operation(), context -> {
            assertThat(CompletableFuture.supplyAsync(() -> act(OperatorAct.Action.COMPLETE), threads)
                            .get()
                            .done())
                    .isFalse();
            return paying().run(context);
        });

        assertThat(database.ledger()).containsExactly("attempt 2");
        assertThat(record().result()).isEqualTo(RECEIPT);
    }

    @Test
    void actsOnAnotherFenceChangeNothing() throws Exception {
        failOnce(backingOff());
        long stale = record().fence() - 1;

        assertThat(store.reopen(RECORD, stale, Duration.ofHours(1))).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(store.force(RECORD, stale, ForcedEnd.COMPLETED, Duration.ofHours(1)))
                .isInstanceOf(StoreAnswer.Lost.class);
        assertThat(store.force(RECORD, stale, ForcedEnd.FAILED, Duration.ofHours(1)))
                .isInstanceOf(StoreAnswer.Lost.class);
        assertThat(executor.execute(operation(), NOT_AGAIN)).isInstanceOf(Outcome.NotYet.class);
    }

    private OperatorAct act(OperatorAct.Action action) {
        return new RecordOperator(store, ScopePolicies.same(POLICY), audited -> {})
                .act(action, RECORD, "anna", "the ledger has it");
    }

    @Test
    void theResultOfARowIsErasedAndItsWorkStaysDone() throws Exception {
        executor.execute(operation(), paying());

        assertThat(store.erase(RECORD)).isInstanceOf(StoreAnswer.Ok.class);

        assertThat(executor.execute(operation(), NOT_AGAIN)).isEqualTo(new Outcome.Replayed<>(StoredResult.OMITTED));
        assertThat(store.erase(new RecordId(IdempotencyKey.of("none"), SCOPE)))
                .isEqualTo(new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE));
    }

    @Test
    void recordsOfAKeyAreReadInTheOrderOfTheirScopes() throws Exception {
        failOnce(POLICY);
        executor.execute(Operation.of(RECORD.key(), new Scope("mail"), POLICY), paying());

        assertThat(store.inspectAll(RECORD.key()))
                .extracting(found -> found.scope().name() + " " + found.state())
                .containsExactly("mail COMPLETED", "payments FAILED");
    }

    @Test
    void allRecordsAreListedPageByPage() throws Exception {
        for (int i = 0; i < 7; i++) {
            Operation one = Operation.of(IdempotencyKey.of("k-" + i), SCOPE, POLICY);
            boolean fails = i % 2 == 1;
            executor.execute(
                    one,
                    context -> fails
                            ? new WorkResult.Release<>("later", Duration.ZERO)
                            : new WorkResult.Complete<>("paid", RECEIPT));
        }
        List<Listed> listed = new ArrayList<>();
        String cursor = RecordLister.START;
        do {
            RecordLister.Page page = store.list(cursor, 2);
            listed.addAll(page.records());
            cursor = page.next();
        } while (!cursor.equals(RecordLister.START));

        assertThat(listed).extracting(Listed::keyId).doesNotHaveDuplicates().hasSize(7);
        assertThat(listed)
                .filteredOn(found -> found.record().state() == RecordState.COMPLETED)
                .hasSize(4);
        assertThatThrownBy(() -> store.list("elsewhere", 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void workThatWouldBeBegunApartFromItsRowIsRefused() {
        assertThatThrownBy(() -> executor.begin(operation())).hasMessageContaining("The inbox is the store");
        assertThatThrownBy(() -> executor.async(threads)
                        .begin(operation())
                        .toCompletableFuture()
                        .join())
                .hasMessageContaining("The inbox is the store");
    }

    @Test
    void failuresAreCleanedWithTheRows() throws Exception {
        failOnce(POLICY);
        executor.execute(Operation.of(IdempotencyKey.of("l"), SCOPE, POLICY), paying());
        database.age(Math.toIntExact(POLICY.retention().toSeconds()) + 1);

        assertThat(new RecordCleaner(database.dataSource()).clean()).isEqualTo(2);
        assertThat(failures()).isZero();
    }

    @Test
    void ofManyDuplicatesAtOneTimeOneTakesEffect() throws Exception {
        List<Future<Outcome<String>>> deliveries = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            deliveries.add(threads.submit(() -> executor.execute(operation(), paying())));
        }
        for (Future<Outcome<String>> delivery : deliveries) {
            assertThat(delivery).succeedsWithin(SOON);
        }

        await().atMost(SOON).until(() -> executor.execute(operation(), NOT_AGAIN) instanceof Outcome.Replayed<String>);
        assertThat(database.ledger()).hasSize(1);
        assertThat(Optional.of(record().state())).contains(RecordState.COMPLETED);
    }
}
