package io.idem.jdbc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AttemptPolicy;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.InboxTransaction;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.outbox.RecordingTransport;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.jdbc.store.RecordSchema;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The exact number of commits and of round trips to PostgreSQL that one message costs, in a database of its own. */
@Tag("servers")
class CostTest {

    private static final int MESSAGES = 10;
    private static final Scope SCOPE = new Scope("payments");
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofHours(1), Duration.ofDays(1));
    private static final ExecutionPolicy LAST_PHASE =
            POLICY.withAttempts(AttemptPolicy.DEFAULT.withTransaction(InboxTransaction.LAST_PHASE));
    private static final StoredResult RECEIPT = StoredResult.of("text", "paid".getBytes(StandardCharsets.UTF_8));
    private static final OutgoingMessage SETTLED = new OutgoingMessage("rabbit", "settled", new byte[] {1});

    private final String name = "cost_" + UUID.randomUUID().toString().replace("-", "");
    private final TestDatabase server = new TestDatabase();
    private final AtomicInteger writes = CountedWrites.counter(name);
    private final RecordingTransport broker = new RecordingTransport("rabbit");
    private SingleConnectionDataSource one;
    private JdbcTemplate jdbc;
    private JdbcTransactionManager manager;
    private JdbcInbox inbox;
    private ExecutionPolicy policy = POLICY;

    @BeforeEach
    void createDatabase() throws SQLException {
        server.jdbc().execute("CREATE DATABASE " + name);
        one = connection();
        jdbc = new JdbcTemplate(one);
        manager = new JdbcTransactionManager(one);
        new InboxSchema(one, manager).create();
        new RecordSchema(one).create();
        jdbc.execute("CREATE TABLE ledger (entry text NOT NULL)");
        inbox = new JdbcInbox(one, manager);
    }

    /** One connection, so that nothing is sent but what a message costs. */
    private SingleConnectionDataSource connection() throws SQLException {
        PGSimpleDataSource counted = new PGSimpleDataSource();
        counted.setUrl(server.dataSource().getUrl());
        counted.setUser(server.dataSource().getUser());
        counted.setPassword(server.dataSource().getPassword());
        counted.setDatabaseName(name);
        counted.setCurrentSchema("public");
        counted.setSocketFactory(CountedWrites.class.getName());
        counted.setSocketFactoryArg(name);
        return new SingleConnectionDataSource(counted.getConnection(), true);
    }

    @AfterEach
    void close() {
        one.destroy();
        server.jdbc().execute("DROP DATABASE " + name + " WITH (FORCE)");
        server.close();
    }

    private Work<String> paying(StoredResult result) {
        return context -> {
            jdbc.update("INSERT INTO ledger VALUES (?)", context.key().value());
            return new WorkResult.Complete<>("paid", result);
        };
    }

    private Work<String> publishing() {
        return context -> {
            context.publications().keep(SETTLED);
            return paying(StoredResult.NONE).run(context);
        };
    }

    /** Cost of one message. */
    private record Cost(int roundTrips, long commits) {}

    private Cost each(IdempotentExecutor executor, boolean inInbox, Work<String> work, Class<?> outcome, String keys)
            throws Exception {
        // Statements are prepared on the server and types looked up with the first uses.
        deliver(executor, inInbox, work, outcome, keys + "warm-up-");
        long commits = commits();
        writes.set(0);
        deliver(executor, inInbox, work, outcome, keys);
        int roundTrips = writes.get();
        long after = commits();
        assertThat(roundTrips % MESSAGES).isZero();
        assertThat((after - commits) % MESSAGES).isZero();
        return new Cost(roundTrips / MESSAGES, (after - commits) / MESSAGES);
    }

    private void deliver(IdempotentExecutor executor, boolean inInbox, Work<String> work, Class<?> outcome, String keys)
            throws Exception {
        for (int i = 0; i < MESSAGES; i++) {
            Operation operation = Operation.of(IdempotencyKey.of(keys + i), SCOPE, policy);
            Outcome<String> answer = executor.execute(inInbox ? operation.withInbox(inbox) : operation, work);
            assertThat(answer).isInstanceOf(outcome);
        }
    }

    /** Returns the commits of the database so far. The connection tells its own in a transaction that is rolled back. */
    private long commits() {
        new TransactionTemplate(manager).executeWithoutResult(status -> {
            status.setRollbackOnly();
            jdbc.execute("SELECT pg_stat_force_next_flush()");
        });
        return requireNonNull(server.jdbc()
                .queryForObject("SELECT xact_commit FROM pg_stat_database WHERE datname = ?", Long.class, name));
    }

    @Test
    void aStepInTheDatabaseOfTheInboxCostsOneCommit() throws Exception {
        policy = LAST_PHASE;
        try (IdempotentExecutor executor = on(new InMemoryIdempotencyStore())) {
            assertThat(each(executor, true, inTwoSteps(), Outcome.Executed.class, "beside-"))
                    .isEqualTo(new Cost(8, 4));
        }
        InboxStore store = new InboxStore(one);
        inbox = inbox.asStore(store);
        try (IdempotentExecutor executor = on(store)) {
            assertThat(each(executor, true, inTwoSteps(), Outcome.Executed.class, "alone-"))
                    .isEqualTo(new Cost(6, 4));
        }
    }

    private Work<String> inTwoSteps() {
        return attempt -> {
            attempt.step("charge", String.class, step -> "receipt");
            attempt.step("label", String.class, step -> "number");
            return attempt.inTransaction(() -> paying(StoredResult.NONE).run(attempt));
        };
    }

    private IdempotentExecutor on(IdempotencyStore store) {
        return IdempotentExecutor.on(store).transports(() -> List.of(broker)).build();
    }

    @Test
    void theInboxBesideAStoreElsewhereCostsOneCommit() throws Exception {
        try (IdempotentExecutor executor = on(new InMemoryIdempotencyStore())) {
            assertThat(each(executor, true, paying(StoredResult.NONE), Outcome.Executed.class, "none-"))
                    .isEqualTo(new Cost(3, 1));
            assertThat(each(executor, true, paying(RECEIPT), Outcome.Executed.class, "result-"))
                    .isEqualTo(new Cost(4, 1));
            assertThat(each(executor, true, publishing(), Outcome.Executed.class, "message-"))
                    .isEqualTo(new Cost(4, 1));
            assertThat(each(executor, true, paying(RECEIPT), Outcome.Replayed.class, "result-"))
                    .isEqualTo(new Cost(0, 0));
        }
    }

    @Test
    void workThatRemovesTheMarkOfItsTransactionCostsOneQueryMore() throws Exception {
        Work<String> resetting = context -> {
            jdbc.execute("RESET ALL");
            return new WorkResult.Complete<>("paid", StoredResult.NONE);
        };
        try (IdempotentExecutor executor = on(new InMemoryIdempotencyStore())) {
            assertThat(each(executor, true, resetting, Outcome.Executed.class, "reset-"))
                    .isEqualTo(new Cost(4, 1));
        }
    }

    @Test
    void theInboxAloneCostsOneCommitAndADuplicateNone() throws Exception {
        InboxStore store = new InboxStore(one);
        inbox = inbox.asStore(store);
        try (IdempotentExecutor executor = on(store)) {
            assertThat(each(executor, true, paying(StoredResult.NONE), Outcome.Executed.class, "none-"))
                    .isEqualTo(new Cost(3, 1));
            assertThat(each(executor, true, paying(RECEIPT), Outcome.Executed.class, "result-"))
                    .isEqualTo(new Cost(4, 1));
            assertThat(each(executor, true, publishing(), Outcome.Executed.class, "message-"))
                    .isEqualTo(new Cost(4, 1));
            assertThat(each(executor, true, paying(RECEIPT), Outcome.Replayed.class, "result-"))
                    .isEqualTo(new Cost(2, 0));
        }
    }

    @Test
    void workThatAsksForItsFenceCostsOneQueryMore() throws Exception {
        InboxStore store = new InboxStore(one);
        inbox = inbox.asStore(store);
        Work<String> asking = context -> {
            assertThat(context.fence()).isPositive();
            return paying(StoredResult.NONE).run(context);
        };
        try (IdempotentExecutor executor = on(store)) {
            assertThat(each(executor, true, asking, Outcome.Executed.class, "fence-"))
                    .isEqualTo(new Cost(4, 1));
        }
    }

    @Test
    void aFailedAttemptInTheInboxAloneCostsOneCommitAndItsRetryToo() throws Exception {
        InboxStore store = new InboxStore(one);
        inbox = inbox.asStore(store);
        Work<String> failing = context -> {
            paying(StoredResult.NONE).run(context);
            return new WorkResult.Release<>("later", Duration.ZERO);
        };
        try (IdempotentExecutor executor = on(store)) {
            assertThat(each(executor, true, failing, Outcome.Released.class, "fails-"))
                    .isEqualTo(new Cost(4, 1));
            assertThat(each(executor, true, paying(StoredResult.NONE), Outcome.Executed.class, "fails-"))
                    .isEqualTo(new Cost(5, 1));
        }
    }

    @Test
    void postgreSqlAsTheStoreCostsTwoCommitsWithTheInboxAndWithout() throws Exception {
        PostgresIdempotencyStore store = new PostgresIdempotencyStore(one);
        JdbcInbox beside = inbox;
        inbox = inbox.onRecordsOf(store);
        try (IdempotentExecutor executor = on(store)) {
            assertThat(each(executor, true, paying(StoredResult.NONE), Outcome.Executed.class, "inbox-"))
                    .isEqualTo(new Cost(4, 2));
            assertThat(each(executor, true, paying(RECEIPT), Outcome.Executed.class, "result-"))
                    .isEqualTo(new Cost(4, 2));
            Cost without = each(
                    executor,
                    false,
                    context -> new WorkResult.Complete<>("paid", RECEIPT),
                    Outcome.Executed.class,
                    "store-");
            assertThat(without).isEqualTo(new Cost(2, 2));

            inbox = beside;
            assertThat(each(executor, true, paying(RECEIPT), Outcome.Executed.class, "beside-"))
                    .as("an inbox that was not told of the store finds the lease")
                    .isEqualTo(new Cost(9, 5));
        }
    }
}
