package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.CommitUnknownException;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.cache.CacheSettings;
import io.idem.cache.CachingIdempotencyStore;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.outbox.RecordingTransport;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** PostgreSQL as the store with an inbox on its own table: the transaction of the work completes the record. */
@Tag("servers")
class SharedRecordsTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(LEASE, Duration.ofHours(24));
    private static final RecordId RECORD = new RecordId(IdempotencyKey.of("k"), new Scope("payments"));
    private static final StoredResult RECEIPT = StoredResult.of("text", "paid".getBytes(StandardCharsets.UTF_8));
    private static final OutgoingMessage SETTLED = new OutgoingMessage("rabbit", "settled", new byte[] {1});
    private static final Work<String> NOT_AGAIN = context -> {
        throw new AssertionError("ran although it must not");
    };

    private final TestDatabase database = new TestDatabase();
    private final HikariDataSource pool = database.pool(4);
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private final RecordingTransport broker = new RecordingTransport("rabbit");
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private PostgresIdempotencyStore store;
    private IdempotentExecutor executor;

    @BeforeEach
    void open() {
        new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource())).create();
        store = new PostgresIdempotencyStore(pool);
        executor = executor();
    }

    private IdempotentExecutor executor() {
        JdbcInbox inbox = new JdbcInbox(pool, new JdbcTransactionManager(pool)).onRecordsOf(store);
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

    private static Operation operation() {
        return operation(POLICY);
    }

    private static Operation operation(ExecutionPolicy policy) {
        return Operation.of(RECORD.key(), RECORD.scope(), policy);
    }

    private Work<String> paying(String entry) {
        return context -> {
            int unused = jdbc.update("INSERT INTO ledger VALUES (?)", entry);
            return new WorkResult.Complete<>("paid", RECEIPT);
        };
    }

    private Work<String> sendingBack() {
        return context -> {
            context.publications().keep(SETTLED);
            context.publications().again();
            return paying("tried").run(context);
        };
    }

    /** Ends leases, as if their processes had been paused. */
    private void lapse() {
        database.jdbc().update("UPDATE idem_record SET at = at - ? * interval '1 second'", LEASE.toSeconds() + 1);
    }

    private RecordState state() {
        return store.inspect(RECORD).orElseThrow().state();
    }

    @Test
    void theCommitOfTheWorkCompletesTheRecord() throws Exception {
        Outcome<String> outcome = executor.execute(operation(), context -> {
            assertThat(state()).isEqualTo(RecordState.PENDING);
            return paying("a").run(context);
        });

        assertThat(outcome).isEqualTo(new Outcome.Executed<>("paid", RECEIPT));
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
        assertThat(executor.execute(operation(), NOT_AGAIN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        assertThat(database.ledger()).containsExactly("a");
    }

    @Test
    void messagesOfAProcessThatDiedAfterItsCommitLeaveWithTheNextDelivery() throws Exception {
        broker.killPublishers();
        assertThatThrownBy(() -> executor.execute(operation(), context -> {
                    context.publications().keep(SETTLED);
                    return paying("a").run(context);
                }))
                .isInstanceOf(RecordingTransport.Killed.class);
        broker.comeBack();

        assertThat(executor.execute(operation(), NOT_AGAIN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        assertThat(broker.received()).containsExactly(SETTLED);
    }

    @Test
    void workThatSendsItsMessageBackIsNotDoneAndRunsAgain() throws Exception {
        assertThat(executor.execute(operation(), sendingBack())).isEqualTo(new Outcome.Released<>("paid", true));

        assertThat(broker.received()).containsExactly(SETTLED);
        assertThat(state()).isEqualTo(RecordState.FAILED);
        assertThat(store.settled(RECORD)).as("no copy elsewhere answers it").isEmpty();
        assertThat(executor.execute(operation(), paying("done"))).isInstanceOf(Outcome.Executed.class);
        assertThat(database.ledger()).containsExactlyInAnyOrder("tried", "done");
    }

    @Test
    void aCopyOfAMessageThatADeadProcessSentBackIsNoDuplicateOfDoneWork() throws Exception {
        broker.killPublishers();
        assertThatThrownBy(() -> executor.execute(operation(), sendingBack()))
                .isInstanceOf(RecordingTransport.Killed.class);
        broker.comeBack();
        assertThat(executor.execute(operation(), NOT_AGAIN)).isInstanceOf(Outcome.InProgress.class);
        assertThat(store.settled(RECORD)).isEmpty();
        lapse();

        assertThat(executor.execute(operation(), NOT_AGAIN)).isInstanceOf(Outcome.Replayed.class);

        assertThat(broker.received()).containsExactly(SETTLED);
        assertThat(executor.execute(operation(), paying("done"))).isInstanceOf(Outcome.Executed.class);
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aCopyThatComesWhileItsSenderStillSettlesIsNotTakenForADuplicate() throws Exception {
        List<Outcome<String>> ofTheCopy = new ArrayList<>();
        broker.onFirst(() -> ofTheCopy.add(
                threads.submit(() -> executor.execute(operation(), NOT_AGAIN)).get()));

        assertThat(executor.execute(operation(), sendingBack())).isInstanceOf(Outcome.Released.class);

        assertThat(ofTheCopy).singleElement().isInstanceOf(Outcome.InProgress.class);
        assertThat(executor.execute(operation(), paying("done"))).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void aNearCacheDoesNotTakeTheCopyOfAMessageForADuplicate() throws Exception {
        JdbcInbox inbox = new JdbcInbox(pool, new JdbcTransactionManager(pool)).onRecordsOf(store);
        CachingIdempotencyStore cached = new CachingIdempotencyStore(store, CacheSettings.defaults());
        try (IdempotentExecutor own = IdempotentExecutor.on(cached)
                .inbox(inbox)
                .transports(() -> List.of(broker))
                .build()) {
            assertThat(own.execute(operation(), sendingBack())).isInstanceOf(Outcome.Released.class);

            assertThat(own.execute(operation(), paying("done"))).isInstanceOf(Outcome.Executed.class);
            assertThat(own.execute(operation(), NOT_AGAIN)).isEqualTo(new Outcome.Replayed<>(RECEIPT));
        }
        assertThat(database.ledger()).containsExactlyInAnyOrder("tried", "done");
    }

    @Test
    void workWhoseLeaseWasTakenOverIsRolledBack() throws Exception {
        Outcome<String> stale = executor.execute(operation(), context -> {
            Outcome<String> successor = threads.<Outcome<String>>submit(() -> {
                        lapse();
                        return executor.execute(operation(), paying("successor"));
                    })
                    .get();
            assertThat(successor).isInstanceOf(Outcome.Executed.class);
            return paying("stale").run(context);
        });

        assertThat(stale).isInstanceOfAny(Outcome.Replayed.class, Outcome.InProgress.class);
        assertThat(database.ledger()).containsExactly("successor");
    }

    @Test
    void aLookAtAnExhaustedRecordLeavesItsUnknownOutcome() throws Exception {
        ExecutionPolicy once = POLICY.withMaxAttempts(1);
        Outcome<String> left = executor.execute(operation(once), context -> {
            throw new CommitUnknownException(RECORD, new IllegalStateException("The process dies"));
        });
        assertThat(left).isInstanceOf(Outcome.InProgress.class);
        lapse();

        assertThat(executor.execute(operation(once), NOT_AGAIN)).isEqualTo(new Outcome.Exhausted<>(1));
        assertThat(state()).isEqualTo(RecordState.PENDING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRANSACTION_READ_COMMITTED", "TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE"})
    void workThatOutlivesItsLeaseTakesEffectOnceAtEveryLevel(String level) throws Exception {
        executor.close();
        HikariDataSource strict = new HikariDataSource();
        strict.setDataSource(database.dataSource());
        strict.setMaximumPoolSize(4);
        strict.setTransactionIsolation(level);
        store = new PostgresIdempotencyStore(strict);
        JdbcInbox inbox = new JdbcInbox(strict, new JdbcTransactionManager(strict)).onRecordsOf(store);
        ExecutionPolicy brief = ExecutionPolicy.of(Duration.ofSeconds(2), Duration.ofHours(1));
        try (strict;
                IdempotentExecutor own =
                        IdempotentExecutor.on(store).inbox(inbox).build()) {
            Outcome<String> outcome = own.execute(operation(brief), context -> {
                int unused = new JdbcTemplate(strict).update("INSERT INTO ledger VALUES ('slow')");
                new JdbcTemplate(strict).execute("SELECT pg_sleep(3)");
                return new WorkResult.Complete<>("paid", RECEIPT);
            });

            assertThat(outcome).isInstanceOf(Outcome.Executed.class);
            assertThat(own.execute(operation(brief), NOT_AGAIN)).isInstanceOf(Outcome.Replayed.class);
        }
        assertThat(database.ledger()).containsExactly("slow");
        executor = executor();
    }
}
