package io.idem.jdbc;

import static io.idem.jdbc.Leases.lease;
import static io.idem.jdbc.Leases.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Inbox.InboxWork;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxRebuild;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.outbox.JdbcOutbox;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.jdbc.outbox.RecordingTransport;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;
import io.idem.spi.RecordRestorer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The engine on an inbox whose store has lost its records, on every database. */
abstract class RecoveryContract {

    private static final int RACES = 20;
    private static final Scope SCOPE = new Scope("payments");
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofMinutes(1), Duration.ofHours(24));
    private static final RecordId RECORD = new RecordId(IdempotencyKey.of("k"), SCOPE);
    private static final StoredResult RECEIPT = StoredResult.of("text", "paid".getBytes(StandardCharsets.UTF_8));
    private static final OutgoingMessage SETTLED = new OutgoingMessage("rabbit", "settled", new byte[] {1});
    private static final Effect EFFECT = new Effect(RECEIPT, List.of(SETTLED));
    private static final Fingerprint TEN = Fingerprint.of("10 EUR".getBytes(StandardCharsets.UTF_8));
    private static final Fingerprint TWENTY = Fingerprint.of("20 EUR".getBytes(StandardCharsets.UTF_8));

    private final RecordingTransport broker = new RecordingTransport("rabbit");
    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();
    private final IdempotentExecutor executor =
            IdempotentExecutor.on(store).transports(() -> List.of(broker)).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private InboxDatabase database;
    private JdbcTransactionManager manager;
    private JdbcInbox inbox;

    abstract InboxDatabase open();

    @BeforeEach
    void createTable() {
        database = open();
        manager = new JdbcTransactionManager(database.dataSource());
        new InboxSchema(database.dataSource(), manager).create();
        inbox = new JdbcInbox(database.dataSource(), manager);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        executor.close();
        database.close();
    }

    private Outcome<String> pay(Fingerprint payload) throws Exception {
        Operation operation =
                Operation.of(RECORD.key(), SCOPE, POLICY).withInbox(inbox).withFingerprint(payload);
        return executor.execute(operation, context -> {
            database.jdbc().update("INSERT INTO ledger VALUES (?)", RECORD.key().value());
            context.publications().keep(SETTLED);
            return new WorkResult.Complete<>("paid", RECEIPT);
        });
    }

    /** The owner died between its commit and its messages, and the store lost the record. */
    private void committedByADeadProcessWhoseRecordIsLost() throws Exception {
        var unused = inbox.run(request("k", 7), mine -> Optional.of(EFFECT));
    }

    private InboxRebuild rebuild() {
        return new InboxRebuild(database.dataSource(), new Restorer());
    }

    private Claim.Granted granted(Fingerprint payload) {
        return granted(RECORD, payload);
    }

    private Claim.Granted granted(RecordId record, Fingerprint payload) {
        return (Claim.Granted) store.acquire(new AcquireRequest(
                record, OwnerToken.random(new SecureRandom()), POLICY.lease(), POLICY.retention(), payload, 0, 0));
    }

    @Test
    void messagesThatHadNotLeftAreSentByTheRedeliveryAfterARebuild() throws Exception {
        committedByADeadProcessWhoseRecordIsLost();

        rebuild().run();

        assertThat(pay(TEN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        assertThat(broker.received()).containsExactly(SETTLED);
    }

    @Test
    void unsentMessagesLeaveWithTheRedeliveryAlsoAfterAnOperatorsComplete() throws Exception {
        committedByADeadProcessWhoseRecordIsLost();
        store.fail(granted(TEN).lease(), Duration.ZERO);

        OperatorAct act = complete();

        assertThat(act.done()).isFalse();
        assertThat(act.failure()).get().asString().contains("1 message(s)", "Release the key");
        assertThat(pay(TEN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        assertThat(broker.received()).containsExactly(SETTLED);
    }

    @Test
    void aMessageThatADeadProcessSentBackLeavesAlsoAfterARebuild() throws Exception {
        Operation operation = Operation.of(RECORD.key(), SCOPE, POLICY).withInbox(inbox);
        broker.killPublishers();
        assertThatThrownBy(() -> executor.execute(operation, context -> {
                    context.publications().keep(SETTLED);
                    context.publications().again();
                    return new WorkResult.Complete<>("tried", RECEIPT);
                }))
                .isInstanceOf(RecordingTransport.Killed.class);
        broker.comeBack();
        store.clear();

        assertThat(rebuild().run()).as("work that is to run again is not done").isEqualTo(new InboxRebuild.Result(0, 0, 0));
        assertThat(executor.execute(operation, context -> {
                    throw new AssertionError("ran before its message was sent");
                }))
                .isInstanceOf(Outcome.Replayed.class);
        assertThat(broker.received()).containsExactly(SETTLED);
        assertThat(pay(TEN)).isInstanceOf(Outcome.Executed.class);
    }

    private OperatorAct complete() {
        return act(OperatorAct.Action.COMPLETE, RECORD);
    }

    private OperatorAct act(OperatorAct.Action action, RecordId record) {
        return new RecordOperator(store, scope -> POLICY.retention(), act -> {}, () -> Optional.of(inbox), result -> {})
                .act(action, record, "anna", "the ledger has it");
    }

    /** The owner dies after its commit, each time; the operator releases what may not be called done. */
    @Test
    void anOwnerAndAnOperatorThatRaceLoseNoMessageBetweenThem() throws Exception {
        Set<String> expected = new TreeSet<>();
        for (int number = 0; number < RACES; number++) {
            RecordId record = new RecordId(IdempotencyKey.of("race-" + number), SCOPE);
            OutgoingMessage message = new OutgoingMessage("rabbit", record.key().value(), new byte[] {1});
            InboxWork work = mine -> {
                database.jdbc()
                        .update("INSERT INTO ledger VALUES (?)", record.key().value());
                return Optional.of(new Effect(RECEIPT, List.of(message)));
            };
            Lease lease = granted(record, TEN).lease();
            CyclicBarrier start = new CyclicBarrier(2);
            Future<InboxOutcome> owner = threads.submit(() -> {
                start.await();
                return inbox.run(request(lease), work);
            });
            start.await();
            boolean done = act(OperatorAct.Action.COMPLETE, record).done();
            if (owner.get() instanceof InboxOutcome.Committed) {
                expected.add(record.key().value());
                assertThat(done).as(record.toString()).isFalse();
                act(OperatorAct.Action.RELEASE, record);
            }
            Outcome<String> redelivery = executor.execute(
                    Operation.of(record.key(), SCOPE, POLICY).withInbox(inbox).withFingerprint(TEN), context -> {
                        throw new AssertionError("ran twice");
                    });
            assertThat(redelivery).isInstanceOf(Outcome.Replayed.class);
        }

        assertThat(broker.received())
                .extracting(OutgoingMessage::destination)
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(database.ledger()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void workThatAnOperatorCallsDoneStaysDoneAlsoIfTheStoreLosesItsRecord() throws Exception {
        store.fail(granted(TEN).lease(), Duration.ZERO);

        assertThat(complete().done()).isTrue();
        store.clear();

        assertThat(pay(TWENTY)).isEqualTo(new Outcome.Mismatch<>());
        assertThat(pay(TEN)).isEqualTo(new Outcome.Replayed<>(StoredResult.OMITTED));
        assertThat(database.ledger()).isEmpty();
    }

    @Test
    void anOwnerThatBeginsAfterAnOperatorCalledItsWorkDoneHasNoEffect() throws Exception {
        Lease lease = granted(TEN).lease();

        assertThat(complete().done()).isTrue();

        assertThat(inbox.run(request(lease), mine -> {
                    throw new AssertionError("ran although the work was called done");
                }))
                .isInstanceOf(InboxOutcome.Found.class);
    }

    @Test
    void anOperatorIsToldOfAnOpenTransactionAndLosesNoMessageOfIt() throws Exception {
        Lease lease = granted(TEN).lease();
        CountDownLatch claimed = new CountDownLatch(1);
        CountDownLatch mayCommit = new CountDownLatch(1);
        CompletableFuture<InboxOutcome> owner =
                CompletableFuture.supplyAsync(() -> owner(lease, claimed, mayCommit), threads);
        claimed.await();
        OperatorAct act = complete();
        mayCommit.countDown();

        assertThat(owner.get()).isInstanceOf(InboxOutcome.Committed.class);
        assertThat(act.done()).isFalse();
        assertThat(act.failure()).get().asString().contains("has its transaction open");
        store.clear();
        assertThat(pay(TEN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        assertThat(broker.received()).containsExactly(SETTLED);
    }

    private InboxOutcome owner(Lease lease, CountDownLatch claimed, CountDownLatch mayCommit) {
        try {
            return inbox.run(request(lease), mine -> {
                claimed.countDown();
                mayCommit.await();
                return Optional.of(EFFECT);
            });
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void aRowThatKeepsNothingDoesNotStandInTheWayOfTheOperator() throws Exception {
        var unused = inbox.run(request("k", 7), mine -> Optional.of(new Effect(StoredResult.NONE, List.of())));
        store.fail(granted(TEN).lease(), Duration.ZERO);

        assertThat(complete().done()).isTrue();
        assertThat(store.inspect(RECORD))
                .get()
                .extracting(RecordSnapshot::state)
                .isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void workThatIsSettledIsLeftAloneByTheOperatorAndGetsNoRow() {
        store.reject(granted(TEN).lease(), "no such account");

        assertThat(complete().done()).isFalse();
        assertThat(inbox.find(RECORD)).isEmpty();
    }

    @Test
    void anotherPayloadIsRefusedByTheRowAloneAndDuplicatesAreAnswered() throws Exception {
        pay(TEN);
        store.clear();

        assertThat(pay(TWENTY)).isEqualTo(new Outcome.Mismatch<>());
        assertThat(pay(TEN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        assertThat(pay(TWENTY)).isEqualTo(new Outcome.Mismatch<>());
        assertThat(database.ledger()).containsExactly("k");
    }

    @Test
    void aTrueDuplicateIsAnsweredWhileAnotherPayloadHoldsTheRecord() throws Exception {
        pay(TEN);
        store.clear();
        granted(TWENTY);

        assertThat(pay(TEN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        assertThat(broker.received()).as("published again").containsExactly(SETTLED, SETTLED);
    }

    @Test
    void aTrueDuplicateWhoseMessagesNobodyConfirmsIsDeferred() throws Exception {
        pay(TEN);
        store.clear();
        granted(TWENTY);
        broker.goAway();
        Operation impatient = Operation.of(
                        RECORD.key(), SCOPE, ExecutionPolicy.of(Duration.ofMillis(300), Duration.ofHours(24)))
                .withInbox(inbox)
                .withFingerprint(TEN);

        Outcome<String> outcome = executor.execute(impatient, context -> {
            throw new AssertionError("ran twice");
        });

        assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
    }

    @Test
    void rowsOfTheEarlierVersionMatchAnyPayload() throws Exception {
        database.jdbc()
                .update(
                        "INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, owner,"
                                + " result_codec, result, at, expires_at)"
                                + " VALUES (?, ?, 2, 1, 0, 7, ?, 'text', ?, now(), now() + INTERVAL '1' DAY)",
                        RECORD.key().id(),
                        SCOPE.name(),
                        new byte[12],
                        RECEIPT.content());

        assertThat(inbox.find(RECORD).map(Effect::fingerprint)).contains(Fingerprint.NONE);
        assertThat(pay(TWENTY)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        assertThat(database.ledger()).isEmpty();
    }

    @Test
    void aRebuiltRecordStillTellsPayloadsApart() throws Exception {
        var unused = inbox.run(new Request(lease("k", 7), TEN), mine -> Optional.of(new Effect(RECEIPT, List.of())));

        assertThat(rebuild().run()).isEqualTo(new InboxRebuild.Result(1, 1, 0));

        assertThat(pay(TWENTY)).isEqualTo(new Outcome.Mismatch<>());
        assertThat(pay(TEN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
    }

    @Test
    void rowsWhoseMessagesARelaySendsAreRestored() throws Exception {
        OutboxRelay relay = new OutboxRelay(database.dataSource(), () -> List.of(broker), Duration.ofHours(1));
        var unused = new JdbcOutbox(database.dataSource(), manager, relay)
                .inbox(SCOPE)
                .run(request("k", 7), mine -> Optional.of(EFFECT));

        assertThat(rebuild().run()).isEqualTo(new InboxRebuild.Result(1, 1, 0));

        database.jdbc().update("UPDATE idem_record SET relay_at = at");
        assertThat(relay.relay()).isEqualTo(1);
        assertThat(broker.received()).containsExactly(SETTLED);
    }

    @Test
    void rowsThatKeepMessagesAreLeftOutOfARebuildAndCounted() throws Exception {
        committedByADeadProcessWhoseRecordIsLost();

        assertThat(rebuild().run()).isEqualTo(new InboxRebuild.Result(1, 0, 1));
        assertThat(store.inspect(RECORD)).isEmpty();
    }

    /** Restores as Redis does: only what is absent. */
    private final class Restorer implements RecordRestorer {

        @Override
        public int restore(List<Lost> records) {
            int absent = 0;
            for (Lost lost : records) {
                if (store.inspect(RECORD).isEmpty()) {
                    store.complete(granted(lost.fingerprint()).lease(), lost.result());
                    absent++;
                }
            }
            return absent;
        }

        @Override
        public void close() {}
    }
}
