package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AttemptPolicy;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.outbox.JdbcOutbox;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.jdbc.outbox.RecordingTransport;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.spi.ForcedEnd;
import io.idem.spi.RecordLister;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** All that an application does with an inbox that is its store: the checks at its start, and what follows. */
final class WholeInbox {

    private static final Scope SCOPE = new Scope("payments");
    private static final Duration DAY = Duration.ofDays(1);
    private static final StoredResult RECEIPT = StoredResult.of("text", "paid".getBytes(StandardCharsets.UTF_8));
    private static final Fingerprint TEN = Fingerprint.of("10 EUR".getBytes(StandardCharsets.UTF_8));
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofMinutes(1), DAY)
            .withAttempts(AttemptPolicy.DEFAULT.withFailures(
                    AttemptPolicy.DEFAULT.failures().with(List.of(IllegalArgumentException.class), List.of())));

    private final RecordingTransport broker = new RecordingTransport("rabbit");
    private final String run = UUID.randomUUID().toString();
    private final DataSource dataSource;
    private final PlatformTransactionManager manager;

    WholeInbox(DataSource dataSource) {
        this(dataSource, new JdbcTransactionManager(dataSource));
    }

    WholeInbox(DataSource dataSource, PlatformTransactionManager manager) {
        this.dataSource = dataSource;
        this.manager = manager;
    }

    /** Makes the checks of the start. */
    JdbcOutbox start() {
        new InboxSchema(dataSource, manager).checkAsStore();
        return new JdbcOutbox(
                dataSource, manager, new OutboxRelay(dataSource, () -> List.of(broker), Duration.ofMinutes(1)));
    }

    /**
     * Does everything once.
     *
     * @param witness sees and changes the rows by connections of its own
     */
    void use(JdbcTemplate witness) throws Exception {
        InboxStore store = new InboxStore(dataSource);
        JdbcInbox inbox = new JdbcInbox(dataSource, manager).asStore(store);
        try (IdempotentExecutor executor =
                IdempotentExecutor.on(store).inbox(inbox).build()) {
            failAndPay(executor, store);
            reject(executor, store);
            actAsOperator(executor, store);
            callInSteps(executor, inbox);
        }
        relay(witness);
        assertThat(new RecordCleaner(dataSource).clean()).isZero();
        witness.update("DELETE FROM idem_record");
    }

    private Operation operation(String key) {
        return Operation.of(IdempotencyKey.of(key + run), SCOPE, POLICY).withFingerprint(TEN);
    }

    private static void fail(IdempotentExecutor executor, Operation operation, RuntimeException failure) {
        assertThatThrownBy(() -> executor.execute(operation, context -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }

    private static Work<String> paying() {
        return context -> new WorkResult.Complete<>("paid", RECEIPT);
    }

    private void failAndPay(IdempotentExecutor executor, InboxStore store) throws Exception {
        Operation operation = operation("paid");
        fail(executor, operation, new IllegalStateException("card refused"));
        fail(executor, operation, new IllegalStateException("card refused again"));
        assertThat(store.inspect(operation.record()))
                .get()
                .extracting(RecordSnapshot::state, RecordSnapshot::attempts, RecordSnapshot::fingerprint)
                .containsExactly(RecordState.FAILED, 2, TEN);
        assertThat(executor.execute(operation, paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(executor.execute(operation, paying())).isInstanceOf(Outcome.Replayed.class);
    }

    private void reject(IdempotentExecutor executor, InboxStore store) {
        Operation operation = operation("rejected");
        fail(executor, operation, new IllegalArgumentException("no such card \u2013 " + "x".repeat(2_000)));
        assertThat(store.inspect(operation.record()))
                .get()
                .extracting(RecordSnapshot::state, RecordSnapshot::fingerprint)
                .containsExactly(RecordState.REJECTED, TEN);
    }

    private void actAsOperator(IdempotentExecutor executor, InboxStore store) throws Exception {
        Operation operation = operation("operated");
        fail(executor, operation, new IllegalStateException("card refused"));
        assertThat(store.force(operation.record(), fence(store, operation), ForcedEnd.FAILED, DAY))
                .isInstanceOf(StoreAnswer.Ok.class);
        assertThat(store.force(operation.record(), fence(store, operation), ForcedEnd.COMPLETED, DAY))
                .isInstanceOf(StoreAnswer.Ok.class);
        assertThat(store.reopen(operation.record(), fence(store, operation), DAY))
                .isInstanceOf(StoreAnswer.Ok.class);
        assertThat(executor.execute(operation, paying())).isInstanceOf(Outcome.Executed.class);
        assertThat(store.erase(operation.record())).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(store.list(RecordLister.START, 100).records()).hasSizeGreaterThan(2);
        assertThat(store.inspectAll(operation.record().key())).hasSize(1);
    }

    private static long fence(InboxStore store, Operation operation) {
        return store.inspect(operation.record()).orElseThrow().fence();
    }

    private void callInSteps(IdempotentExecutor executor, JdbcInbox inbox) throws Exception {
        inbox.lastPhase().orElseThrow().check();
        Operation operation = Operation.of(
                        IdempotencyKey.of("steps" + run),
                        SCOPE,
                        POLICY.withAttempts(POLICY.attempts().withTransaction(InboxTransaction.LAST_PHASE)))
                .withInbox(inbox);
        assertThatThrownBy(() -> executor.execute(operation, attempt -> {
                    attempt.step("charge", String.class, step -> "receipt");
                    throw new IllegalStateException("label refused");
                }))
                .hasMessage("label refused");
        Outcome<String> outcome = executor.execute(operation, attempt -> {
            String receipt = attempt.step("charge", String.class, step -> {
                throw new AssertionError("called again");
            });
            return attempt.inTransaction(() -> new WorkResult.Complete<>(receipt, RECEIPT));
        });
        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
    }

    private void relay(JdbcTemplate witness) throws Exception {
        OutboxRelay relay = new OutboxRelay(dataSource, () -> List.of(broker), Duration.ofMinutes(1));
        Inbox inbox = new JdbcOutbox(dataSource, manager, relay).inbox(SCOPE);
        Inbox.Effect effect =
                new Inbox.Effect(StoredResult.NONE, List.of(new OutgoingMessage("rabbit", "receipts", new byte[] {1})));
        assertThat(inbox.run(Leases.request("sent" + run, 1), mine -> Optional.of(effect)))
                .isInstanceOf(Inbox.InboxOutcome.Committed.class);
        witness.update("UPDATE idem_record SET relay_at = at WHERE relay_at IS NOT NULL");
        assertThat(relay.relay()).isOne();
        assertThat(relay.relay()).as("the row is marked as sent").isZero();
        assertThat(broker.received()).hasSize(1);
        assertThat(relay.unsent()).isZero();
    }
}
