package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Inbox.Effect;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.Publications;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.outbox.RecordingTransport;
import io.idem.memory.InMemoryIdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Messages that callbacks of the inbox's transaction publish, as Spring's transactional event listeners do. */
@Tag("servers")
class CallbackPublicationsTest {

    private static final Scope SCOPE = new Scope("payments");
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofMinutes(5), Duration.ofDays(1));

    private final TestDatabase database = new TestDatabase();
    private final JdbcTransactionManager manager = new JdbcTransactionManager(database.dataSource());
    private final JdbcInbox inbox = new JdbcInbox(database.dataSource(), manager);
    private final RecordingTransport broker = new RecordingTransport("rabbit");
    private final List<String> sentAtOnce = new ArrayList<>();
    private final AtomicReference<Optional<IdempotencyContext>> seen = new AtomicReference<>();
    private final IdempotentExecutor executor = IdempotentExecutor.on(new InMemoryIdempotencyStore())
            .transports(() -> List.of(broker))
            .build();

    @BeforeEach
    void createTable() {
        new InboxSchema(database.dataSource(), manager).create();
    }

    @AfterEach
    void close() {
        executor.close();
        database.close();
    }

    @Test
    void aMessagePublishedBeforeTheCommitIsKeptInTheRow() throws Exception {
        Outcome<String> outcome = execute(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                publish("callback");
            }
        });

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(sentAtOnce).isEmpty();
        assertThat(texts(row().orElseThrow().outgoing())).containsExactly("work", "callback");
        assertThat(texts(broker.received())).containsExactly("work", "callback");
    }

    @Test
    void aMessageAfterTheCommitIsSentAtOnceAndConfirmedBeforeTheWorkIsDone() throws Exception {
        Outcome<String> outcome = execute(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                publish("after");
            }

            @Override
            public void afterCompletion(int status) {
                publish("completed");
            }
        });

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(texts(row().orElseThrow().outgoing())).containsExactly("work");
        // The broker refuses each message once.
        assertThat(sentAtOnce).containsExactly("after", "completed", "after", "completed");
        assertThat(texts(broker.received())).containsExactly("work");
    }

    /** Then a copy of the work's own message brings no later attempt any more. */
    @Test
    void thePublicationsKnowThatTheTransactionHasCommitted() throws Exception {
        List<Boolean> committed = new ArrayList<>();
        TransactionSynchronization callback = new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                committed.add(publications().isCommitted());
            }

            @Override
            public void afterCommit() {
                committed.add(publications().isCommitted());
            }
        };

        Outcome<String> outcome = execute(callback);

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(committed).containsExactly(false, true);
    }

    private static Publications publications() {
        return IdempotencyContext.current().orElseThrow().publications();
    }

    @Test
    void aMessagePublishedBetweenTheRowAndTheCommitIsRefused() throws Exception {
        AtomicReference<Throwable> refusal = new AtomicReference<>();

        Outcome<String> outcome = execute(new TransactionSynchronization() {
            @Override
            public void beforeCompletion() {
                try {
                    publish("too late");
                } catch (IllegalStateException refused) {
                    refusal.set(refused);
                }
            }
        });

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(refusal.get()).hasMessageContaining("BEFORE_COMMIT");
        assertThat(texts(broker.received())).containsExactly("work");
    }

    @Test
    void aCallbackAfterARollBackIsOutsideOfTheWork() {
        assertThatThrownBy(() -> execute(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        throw new IllegalArgumentException("refused by a callback");
                    }

                    @Override
                    public void afterCompletion(int status) {
                        seen.set(IdempotencyContext.current());
                    }
                }))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(seen.get()).isEmpty();
        assertThat(row()).isEmpty();
        assertThat(broker.received()).isEmpty();
    }

    @Test
    void messagesOfAPartThatIsRolledBackAreDropped() throws Exception {
        TransactionTemplate part = new TransactionTemplate(manager);
        part.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);

        Outcome<String> outcome = execute(() -> {
            part.executeWithoutResult(status -> publish("committed part"));
            part.executeWithoutResult(status -> {
                publish("part that is rolled back");
                status.setRollbackOnly();
            });
            publish("last");
        });

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(texts(broker.received())).containsExactly("work", "committed part", "last");
    }

    @Test
    void theContextEndsWithTheTransaction() throws Exception {
        Outcome<String> unused = execute(new TransactionSynchronization() {});

        assertThat(IdempotencyContext.current()).isEmpty();
    }

    private Outcome<String> execute(TransactionSynchronization callback) throws Exception {
        return execute(() -> TransactionSynchronizationManager.registerSynchronization(callback));
    }

    private Outcome<String> execute(Runnable rest) throws Exception {
        Work<String> work = context -> {
            publish("work");
            rest.run();
            return new WorkResult.Complete<>("paid", StoredResult.NONE);
        };
        return executor.execute(
                Operation.of(IdempotencyKey.of("k"), SCOPE, POLICY).withInbox(inbox), work);
    }

    /** Publishes as the propagating templates do. */
    private void publish(String text) {
        Publications publications = publications();
        OutgoingMessage message = new OutgoingMessage("rabbit", "receipts", text.getBytes(StandardCharsets.UTF_8));
        if (publications.keeping()) {
            publications.keep(message);
        } else {
            sentAtOnce.add(text);
            publications.track(CompletableFuture.failedFuture(new IllegalStateException("refused once")), () -> {
                sentAtOnce.add(text);
                return CompletableFuture.completedFuture(text);
            });
        }
    }

    private Optional<Effect> row() {
        return inbox.find(Operation.of(IdempotencyKey.of("k"), SCOPE, POLICY).record());
    }

    private static List<String> texts(List<OutgoingMessage> messages) {
        return messages.stream()
                .map(message -> new String(message.content(), StandardCharsets.UTF_8))
                .toList();
    }
}
