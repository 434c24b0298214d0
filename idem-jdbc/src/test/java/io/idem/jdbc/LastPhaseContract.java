package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AttemptPolicy;
import io.idem.CommitUnknownException;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.RefusedWorkException;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.RememberedSteps;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.TakeoverPolicy;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.outbox.RecordingTransport;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.step.Step;
import io.idem.step.StepFinding;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Work whose transaction is its last phase, on every database. */
abstract class LastPhaseContract {

    private static final Scope SCOPE = new Scope("payments");
    static final RecordId RECORD = new RecordId(IdempotencyKey.of("k"), SCOPE);
    static final Duration LEASE = Duration.ofMinutes(10);
    static final AttemptPolicy LAST_PHASE = AttemptPolicy.DEFAULT.withTransaction(InboxTransaction.LAST_PHASE);
    static final ExecutionPolicy POLICY =
            ExecutionPolicy.of(LEASE, Duration.ofHours(24)).withAttempts(LAST_PHASE);
    private static final StoredResult RECEIPT = StoredResult.of("text", "paid".getBytes(StandardCharsets.UTF_8));
    private static final WorkResult<String> NOTHING = new WorkResult.Complete<>("", StoredResult.NONE);
    private static final Work<String> NOT_AGAIN = context -> {
        throw new AssertionError("ran although it must not");
    };

    private final RecordingTransport broker = new RecordingTransport("rabbit");
    final List<String> calls = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    InboxDatabase database;
    private JdbcTransactionManager manager;
    IdempotencyStore store;
    JdbcInbox inbox;
    IdempotentExecutor executor;

    abstract InboxDatabase open();

    /** Returns whether the inbox is the store. */
    boolean alone() {
        return false;
    }

    @BeforeEach
    void createTables() {
        database = open();
        manager = new JdbcTransactionManager(database.dataSource());
        InboxSchema schema = new InboxSchema(database.dataSource(), manager);
        schema.create();
        schema.checkAsStore();
        if (alone()) {
            InboxStore rows = new InboxStore(database.dataSource());
            store = rows;
            inbox = new JdbcInbox(database.dataSource(), manager).asStore(rows);
        } else {
            store = new InMemoryIdempotencyStore(now::get);
            inbox = new JdbcInbox(database.dataSource(), manager);
        }
        executor = executor();
    }

    private IdempotentExecutor executor() {
        return IdempotentExecutor.on(store)
                .inbox(inbox)
                .transports(() -> List.of(broker))
                .build();
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        executor.close();
        database.close();
    }

    static Operation operation() {
        return operation(POLICY);
    }

    static Operation operation(ExecutionPolicy policy) {
        return Operation.of(RECORD.key(), SCOPE, policy);
    }

    private <T> Outcome<T> execute(Work<T> work) throws Exception {
        return executor.execute(operation(), work);
    }

    /** Calls the provider in a step, and writes to the ledger in the transaction. */
    Work<String> paying() {
        return attempt -> {
            String charge = charged(attempt);
            return attempt.inTransaction(() -> booked(charge));
        };
    }

    private String charged(IdempotencyContext attempt) {
        return attempt.step("charge", String.class, step -> called("charge"));
    }

    final String called(String step) {
        calls.add(step);
        return step + " " + calls.size();
    }

    WorkResult<String> booked(String charge) {
        write(charge);
        return new WorkResult.Complete<>("paid", RECEIPT);
    }

    void write(String entry) {
        int unused = database.jdbc().update("INSERT INTO ledger VALUES (?)", entry);
    }

    /** Ends the leases of everybody, as if their processes had been paused. */
    void lapse() {
        now.updateAndGet(moment -> moment.plus(LEASE).plusSeconds(1));
        database.age(Math.toIntExact(LEASE.toSeconds()) + 1);
    }

    final int rowsOfAttempts() {
        return database.jdbc()
                .queryForList("SELECT key_id FROM idem_record WHERE steps IS NOT NULL OR state = 1")
                .size();
    }

    /** Leaves the lease of an attempt, as if its process had died in its work. */
    private void diesIn(Work<String> work) throws Exception {
        Outcome<String> left = execute(attempt -> {
            work.run(attempt);
            throw dead();
        });
        assertThat(left).isInstanceOf(Outcome.InProgress.class);
    }

    private static CommitUnknownException dead() {
        return new CommitUnknownException(RECORD, new IllegalStateException("The process dies"));
    }

    private void diesAfterCharging() throws Exception {
        diesIn(attempt -> {
            charged(attempt);
            return NOTHING;
        });
        lapse();
    }

    /** Calls the provider in a step, writes that it tried, and sends its message back. */
    private WorkResult<String> sendBack(IdempotencyContext attempt) {
        String charge = charged(attempt);
        attempt.publications().keep(message("payments"));
        attempt.publications().again();
        return attempt.inTransaction(() -> booked("tried with " + charge));
    }

    @Test
    void stepsOfAnAttemptThatSentItsMessageBackAreNotRunAgain() throws Exception {
        assertThat(execute(this::sendBack)).isEqualTo(new Outcome.Released<>("paid", true));

        assertThat(broker.received()).containsExactly(message("payments"));
        assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.FAILED);
        assertThat(execute(attempt -> {
                    assertThat(attempt.attempt()).isEqualTo(2);
                    return paying().run(attempt);
                }))
                .isInstanceOf(Outcome.Executed.class);
        assertThat(calls).containsExactly("charge");
        assertThat(database.ledger()).containsExactlyInAnyOrder("tried with charge 1", "charge 1");
        assertThat(rowsOfAttempts()).isZero();
    }

    @Test
    void theNextDeliverySendsTheMessageThatAnAttemptSentBackBeforeItDied() throws Exception {
        broker.killPublishers();
        assertThatThrownBy(() -> execute(this::sendBack)).isInstanceOf(RecordingTransport.Killed.class);
        broker.comeBack();
        lapse();

        assertThat(execute(NOT_AGAIN)).isInstanceOf(Outcome.Replayed.class);

        assertThat(broker.received()).containsExactly(message("payments"));
        assertThat(execute(paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(calls).containsExactly("charge");
        assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void stepsOfAFailedAttemptAreNotRunAgain() throws Exception {
        assertThatThrownBy(() -> execute(attempt -> {
                    charged(attempt);
                    throw new IllegalStateException("no labels");
                }))
                .hasMessage("no labels");

        assertThat(execute(paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(calls).containsExactly("charge");
        assertThat(database.ledger()).containsExactly("charge 1");
    }

    @Test
    void theCommitForgetsTheSteps() throws Exception {
        execute(paying());

        assertThat(rowsOfAttempts()).isZero();
        assertThat(execute(NOT_AGAIN)).isInstanceOf(Outcome.Replayed.class);
    }

    @Test
    void noTransactionIsOpenUntilTheLastPhase() throws Exception {
        List<Boolean> open = new ArrayList<>();

        execute(attempt -> {
            open.add(TransactionSynchronizationManager.isActualTransactionActive());
            attempt.step("charge", String.class, step -> {
                open.add(TransactionSynchronizationManager.isActualTransactionActive());
                return "";
            });
            attempt.inTransaction(() -> open.add(TransactionSynchronizationManager.isActualTransactionActive()));
            open.add(TransactionSynchronizationManager.isActualTransactionActive());
            return new WorkResult.Complete<>("", StoredResult.NONE);
        });

        assertThat(open).containsExactly(false, false, true, true);
        assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                .isFalse();
    }

    @Test
    void workWithoutATransactionIsRecordedByItsRow() throws Exception {
        Outcome<String> outcome = execute(attempt -> {
            charged(attempt);
            return new WorkResult.Complete<>("paid", RECEIPT);
        });

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(inbox.find(RECORD).map(Inbox.Effect::result)).contains(RECEIPT);
        assertThat(rowsOfAttempts()).isZero();
    }

    @Test
    void aResultThatIsNotDoneRollsBackAndKeepsTheSteps() throws Exception {
        Outcome<String> outcome = execute(attempt -> {
            String charge = charged(attempt);
            return attempt.inTransaction(() -> {
                booked(charge);
                return new WorkResult.Release<>("later", Duration.ZERO);
            });
        });

        assertThat(outcome).isInstanceOf(Outcome.Released.class);
        assertThat(database.ledger()).isEmpty();
        assertThat(execute(paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(calls).containsExactly("charge");
    }

    @Test
    void messagesOfAllPartsAreSentAfterTheCommit() throws Exception {
        execute(attempt -> {
            attempt.publications().keep(message("before"));
            charged(attempt);
            return attempt.inTransaction(() -> {
                attempt.publications().keep(message("within"));
                assertThat(broker.received()).isEmpty();
                return booked("");
            });
        });

        assertThat(broker.received()).extracting(OutgoingMessage::destination).containsExactly("before", "within");
    }

    private static OutgoingMessage message(String destination) {
        return new OutgoingMessage("rabbit", destination, new byte[] {1});
    }

    @Test
    void aCaughtFailureOfTheTransactionLeavesTheRestOfTheWork() throws Exception {
        Outcome<String> outcome = execute(attempt -> {
            try {
                return attempt.inTransaction(() -> {
                    booked("refused");
                    attempt.publications().keep(message("refused"));
                    throw new IllegalStateException("no cover");
                });
            } catch (IllegalStateException refused) {
                return new WorkResult.Complete<>("declined", RECEIPT);
            }
        });

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(database.ledger()).isEmpty();
        assertThat(broker.received()).isEmpty();
        assertThat(execute(NOT_AGAIN)).isInstanceOf(Outcome.Replayed.class);
    }

    @Test
    void aSuccessorGoesOnBehindTheSteps() throws Exception {
        diesAfterCharging();

        assertThat(execute(paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(calls).containsExactly("charge");
    }

    @Test
    void aStaleOwnerRemembersNothing() throws Exception {
        Outcome<String> outcome = execute(attempt -> {
            attempt.step("charge", String.class, step -> {
                lapse();
                assertThat(execute(paying())).isInstanceOf(Outcome.Executed.class);
                return called("late");
            });
            throw new AssertionError("went on");
        });

        assertThat(outcome).isInstanceOf(Outcome.Replayed.class);
        assertThat(database.ledger()).containsExactly("charge 1");
        assertThat(rowsOfAttempts()).isZero();
    }

    @Test
    void aStaleOwnerIsToldSoWhenItAsksForItsSteps() throws Exception {
        failBeforeItsSteps();

        Outcome<String> outcome = execute(attempt -> {
            lapse();
            diesIn(successor -> {
                charged(successor);
                return NOTHING;
            });
            throw new AssertionError("read " + charged(attempt));
        });

        assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
        assertThat(calls).containsExactly("charge");
    }

    @Test
    void aStaleOwnerBeginsNoTransactionOnceItsStepsWereRead() throws Exception {
        Outcome<String> outcome = execute(attempt -> {
            charged(attempt);
            lapse();
            diesIn(successor -> {
                charged(successor);
                return NOTHING;
            });
            return attempt.inTransaction(() -> booked("stale"));
        });

        assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
        assertThat(database.ledger()).isEmpty();
        lapse();
        assertThat(execute(paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(database.ledger()).containsExactly("charge 1");
    }

    @Test
    void whatASuccessorCommitsWhileATransactionIsOpenBeyondItsLeaseRollsThatBack() throws Exception {
        Outcome<String> outcome = execute(attempt -> {
            String charge = charged(attempt);
            return attempt.inTransaction(() -> {
                assertThat(onAnotherThread(() -> {
                            lapse();
                            return execute(paying());
                        }))
                        .isInstanceOf(Outcome.Executed.class);
                return booked("first with " + charge);
            });
        });

        assertThat(outcome).isInstanceOfAny(Outcome.Replayed.class, Outcome.InProgress.class);
        assertThat(calls).as("remembered steps are not repeated").containsExactly("charge");
        assertThat(database.ledger()).containsExactly("charge 1");
    }

    @Test
    void workThatIsToldExhaustedIsNotDoneByATransactionThatWasOpen() throws Exception {
        ExecutionPolicy once = POLICY.withMaxAttempts(1);
        Outcome<String> outcome = executor.execute(operation(once), attempt -> {
            String charge = charged(attempt);
            return attempt.inTransaction(() -> {
                assertThat(onAnotherThread(() -> {
                            lapse();
                            return executor.execute(operation(once), NOT_AGAIN);
                        }))
                        .isEqualTo(new Outcome.Exhausted<>(1));
                return booked(charge);
            });
        });

        assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
        assertThat(database.ledger()).isEmpty();
        assertThat(store.inspect(RECORD).orElseThrow().state())
                .as("its outcome is unknown")
                .isEqualTo(RecordState.PENDING);
    }

    @Test
    void stepsOfWorkWhoseRowHasExpiredBeginAnewAndTheirAttemptIsFollowed() throws Exception {
        assertThat(execute(paying())).isInstanceOf(Outcome.Executed.class);
        Duration all = POLICY.retention().plusHours(1);
        now.updateAndGet(moment -> moment.plus(all));
        database.age(Math.toIntExact(all.toSeconds()));

        diesAfterCharging();

        assertThat(execute(paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(calls).containsExactly("charge", "charge");
        assertThat(database.ledger()).containsExactlyInAnyOrder("charge 1", "charge 2");
    }

    @Test
    void aRetryThatRollsBackByItselfCommitsNothingOfWhatFollows() throws Exception {
        diesAfterCharging();

        assertThatThrownBy(() -> execute(attempt -> {
                    String charge = charged(attempt);
                    return attempt.inTransaction(() -> {
                        write("first part");
                        database.jdbc().execute("ROLLBACK");
                        return booked(charge);
                    });
                }))
                .isInstanceOf(UnexpectedRollbackException.class)
                .hasMessageContaining("is gone before its commit");

        assertThat(database.ledger()).isEmpty();
    }

    <T> T onAnotherThread(Callable<T> task) throws Exception {
        return threads.submit(task).get();
    }

    @Test
    void aStoreThatForgotTheRecordDoesNotRepeatDoneWork() throws Exception {
        execute(paying());
        forgetRecord();

        Outcome<String> outcome = execute(attempt -> {
            charged(attempt);
            throw new AssertionError("went on");
        });

        assertThat(outcome).isInstanceOf(Outcome.Replayed.class);
        assertThat(calls).containsExactly("charge");
    }

    @Test
    void aStoreThatForgotTheRecordDoesNotRepeatSteps() throws Exception {
        diesAfterCharging();
        forgetRecord();

        assertThat(execute(paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(calls).containsExactly("charge");
    }

    private void forgetRecord() {
        if (store instanceof InMemoryIdempotencyStore memory) {
            memory.clear();
        }
    }

    @Test
    void aStepThatIsRejectedWhenUnknownIsNotBegunTwice() throws Exception {
        Step<String> mail = Step.of("mail", String.class).rejectedWhenUnknown();
        diesIn(attempt -> {
            attempt.step(mail, step -> {
                throw dead();
            });
            return NOTHING;
        });
        lapse();
        forgetRecord();

        Outcome<String> outcome = execute(attempt -> {
            attempt.step(mail, step -> called("mail"));
            return NOTHING;
        });

        assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
        assertThat(calls).isEmpty();
        reopen();
        assertThat(execute(attempt -> {
                    attempt.step(mail, step -> called("mail"));
                    return booked("mailed");
                }))
                .isInstanceOf(Outcome.Executed.class);
        assertThat(calls).containsExactly("mail");
    }

    private void reopen() {
        long fence = store.inspect(RECORD).orElseThrow().fence();
        var unused = store.reopen(RECORD, fence, Duration.ofHours(24));
    }

    @Test
    void anUnknownStepIsLookedUp() throws Exception {
        diesInside("charge");

        Outcome<String> outcome = execute(attempt -> {
            String charge = attempt.step(
                    Step.of("charge", String.class).reconciledBy(step -> StepFinding.done("found")),
                    step -> called("charge"));
            return attempt.inTransaction(() -> booked(charge));
        });

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(database.ledger()).containsExactly("found");
        assertThat(calls).isEmpty();
    }

    private void diesInside(String name) throws Exception {
        diesIn(attempt -> {
            attempt.step(name, String.class, step -> {
                throw dead();
            });
            return NOTHING;
        });
        lapse();
    }

    @Test
    void aTakeoverIsRejectedBeforeAnyStepWhereThePolicySaysSo() throws Exception {
        diesIn(attempt -> NOTHING);
        lapse();
        ExecutionPolicy rejecting = POLICY.withAttempts(LAST_PHASE.withTakeover(TakeoverPolicy.reject()));

        assertThat(executor.execute(operation(rejecting), NOT_AGAIN)).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void aTransactionIsRefusedTwice() {
        assertThatThrownBy(() -> execute(attempt -> {
                    booked(attempt.inTransaction(() -> "once"));
                    return attempt.inTransaction(() -> booked("twice"));
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("called twice");
        assertThat(database.ledger()).isEmpty();
    }

    @Test
    void aTransactionIsRefusedOnAnotherThread() {
        assertThatThrownBy(() -> execute(attempt -> CompletableFuture.supplyAsync(
                                () -> attempt.inTransaction(() -> booked("elsewhere")), threads)
                        .join()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("on the thread");
        assertThat(database.ledger()).isEmpty();
    }

    @Test
    void aTransactionIsRefusedWhileAStepRuns() {
        CompletableFuture<String> charge = new CompletableFuture<>();

        assertThatThrownBy(() -> execute(attempt -> {
                    var unused = attempt.stepAsync(Step.of("charge", String.class), step -> charge);
                    return attempt.inTransaction(() -> booked("early"));
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("while a step runs");
        assertThat(database.ledger()).isEmpty();
    }

    @Test
    void workThatHidesAnOutageIsNotDone() throws Exception {
        failBeforeItsSteps();

        Outcome<String> outcome = execute(attempt -> {
            refuseSteps(attempt);
            return NOTHING;
        });

        assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
        assertThat(inbox.find(RECORD)).isEmpty();
    }

    @Test
    void workMayAskAgainAfterAnOutage() throws Exception {
        failBeforeItsSteps();

        Outcome<String> outcome = execute(attempt -> {
            refuseSteps(attempt);
            String charge = charged(attempt);
            return attempt.inTransaction(() -> booked(charge));
        });

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(database.ledger()).containsExactly("charge 1");
    }

    /** Lets an attempt fail, so that the next one reads the steps before its first one. */
    private void failBeforeItsSteps() {
        assertThatThrownBy(() -> execute(attempt -> {
                    throw new IllegalStateException("no stock");
                }))
                .hasMessage("no stock");
    }

    private void refuseSteps(IdempotencyContext attempt) {
        silenceSteps();
        assertThatThrownBy(() -> attempt.step("other", String.class, step -> called("other")))
                .isInstanceOf(StoreUnavailableException.class);
        answerSteps();
    }

    final void silenceSteps() {
        database.jdbc().execute("ALTER TABLE idem_record RENAME TO idem_elsewhere");
    }

    final void answerSteps() {
        database.jdbc().execute("ALTER TABLE idem_elsewhere RENAME TO idem_record");
    }

    @Test
    void aTransactionIsRefusedInsideAStep() {
        Step<String> charge = Step.of("charge", String.class);

        assertThatThrownBy(() -> execute(attempt -> booked(attempt.step(
                        charge,
                        step -> IdempotencyContext.current().orElseThrow().inTransaction(() -> "within")))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("opens the transaction of the inbox");
    }

    @Test
    void aTransactionIsRefusedInsideAnotherOne() {
        TransactionTemplate outer = new TransactionTemplate(manager);

        assertThatThrownBy(() ->
                        execute(attempt -> outer.execute(status -> attempt.inTransaction(() -> booked("inside")))))
                .isInstanceOf(RefusedWorkException.class);
        assertThat(database.ledger()).isEmpty();
    }

    @Test
    void aTransactionIsRefusedWhereAnOuterMethodWouldEndIt() {
        TransactionTemplate outer = new TransactionTemplate(manager);
        outer.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);

        assertThatThrownBy(() ->
                        execute(attempt -> outer.execute(status -> attempt.inTransaction(() -> booked("inside")))))
                .isInstanceOf(RefusedWorkException.class)
                .hasMessageContaining("SUPPORTS");
        assertThat(database.ledger()).isEmpty();
    }

    @Test
    void aStepIsRefusedInsideATransaction() {
        TransactionTemplate outer = new TransactionTemplate(manager);

        assertThatThrownBy(() -> execute(attempt -> outer.execute(status -> booked(charged(attempt)))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("open transaction");
        assertThatThrownBy(() -> execute(attempt -> attempt.inTransaction(() -> booked(charged(attempt)))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inTransaction");
        assertThat(calls).isEmpty();
    }

    @Test
    void oneOfManyDeliveriesAtOnceRunsTheStep() throws Exception {
        int deliveries = 8;
        List<Future<Outcome<String>>> outcomes = new ArrayList<>();
        for (int i = 0; i < deliveries; i++) {
            outcomes.add(threads.submit(() -> execute(paying())));
        }

        int executed = 0;
        for (Future<Outcome<String>> outcome : outcomes) {
            executed += outcome.get() instanceof Outcome.Executed ? 1 : 0;
        }

        assertThat(executed).isOne();
        assertThat(calls).containsExactly("charge");
        assertThat(database.ledger()).hasSize(1);
    }

    @Test
    void stepsCanBeSeenWithoutTheirResultsBeingNeeded() throws Exception {
        assertThatThrownBy(() -> execute(attempt -> {
                    charged(attempt);
                    throw new IllegalStateException("no labels");
                }))
                .hasMessage("no labels");

        assertThat(seen()).extracting(RememberedStep::id).containsExactly("charge");
    }

    private List<RememberedStep> seen() {
        RememberedSteps steps = inbox.lastPhase().orElseThrow().steps(RECORD);
        return steps.steps();
    }

    @Test
    void recordsUnderWayArePending() throws Exception {
        execute(attempt -> {
            assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.PENDING);
            return booked("");
        });

        assertThat(rowsOfAttempts()).isZero();
    }

    @Test
    void oldAttemptsAreCleaned() {
        assertThatThrownBy(() -> execute(attempt -> {
                    charged(attempt);
                    throw new IllegalStateException("no labels");
                }))
                .hasMessage("no labels");
        RecordCleaner cleaner = new RecordCleaner(database.dataSource());

        cleaner.clean();
        assertThat(rowsOfAttempts()).isOne();
        database.age(Math.toIntExact(Duration.ofDays(2).toSeconds()));
        cleaner.clean();
        assertThat(rowsOfAttempts()).isZero();
    }

    @Test
    void leasesThatLapseUseUpTheAttempts() throws Exception {
        ExecutionPolicy twice = POLICY.withMaxAttempts(2);
        for (int i = 0; i < 2; i++) {
            Outcome<String> left = executor.execute(operation(twice), attempt -> {
                throw dead();
            });
            assertThat(left).isInstanceOf(Outcome.InProgress.class);
            lapse();
        }

        assertThat(executor.execute(operation(twice), NOT_AGAIN)).isInstanceOf(Outcome.Exhausted.class);
        reopen();
        assertThat(executor.execute(operation(twice), paying())).isInstanceOf(Outcome.Executed.class);
    }
}
