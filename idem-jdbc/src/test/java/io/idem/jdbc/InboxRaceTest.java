package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.memory.InMemoryIdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The engine and the inbox together, counted in a ledger without a unique constraint (invariant I2). */
@Tag("servers")
class InboxRaceTest {

    private static final int THREADS = 8;
    private static final int KEYS = 40;
    private static final Scope SCOPE = new Scope("payments");
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofSeconds(30), Duration.ofDays(36_500));

    private final TestDatabase database = new TestDatabase();
    private final DataSource dataSource = database.pool(2 * THREADS);
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
    private final JdbcInbox inbox = new JdbcInbox(dataSource, manager);
    private final AtomicReference<Instant> storeTime = new AtomicReference<>(Instant.parse("2026-11-21T00:00:00Z"));
    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(storeTime::get);
    private final AtomicInteger takeovers = new AtomicInteger();
    private final IdempotentExecutor executor =
            IdempotentExecutor.on(store).listeners(List.of(this::count)).build();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @BeforeEach
    void createTable() {
        new InboxSchema(dataSource, manager).create();
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        executor.close();
        database.close();
    }

    @Test
    void everyKeyTakesEffectOnceHoweverOftenItsLeaseIsTakenOver() throws Exception {
        List<Callable<List<String>>> workers = IntStream.range(0, THREADS)
                .<Callable<List<String>>>mapToObj(thread -> this::payEveryKey)
                .toList();
        List<List<String>> answers = new ArrayList<>();
        for (Future<List<String>> worker : threads.invokeAll(workers)) {
            answers.add(worker.get());
        }

        List<String> keys =
                IntStream.range(0, KEYS).mapToObj(InboxRaceTest::key).sorted().toList();
        assertThat(database.ledger()).isEqualTo(keys);
        assertThat(answers).allSatisfy(all -> assertThat(all).isEqualTo(keys));
        assertThat(takeovers)
                .as("leases taken from owners that were still working")
                .hasPositiveValue();
    }

    @Test
    void withoutTheInboxATakeoverRepeatsTheEffect() throws Exception {
        Operation unprotected = Operation.of(IdempotencyKey.of("k"), SCOPE, POLICY);

        executor.execute(unprotected, context -> {
            expireLeases();
            executor.execute(unprotected, taker -> paid("k"));
            return paid("k");
        });

        assertThat(database.ledger()).containsExactly("k", "k");
    }

    @Test
    void aLeaseLostBeforeTheCommitRollsTheWorkBack() throws Exception {
        AtomicLong nanos = new AtomicLong();
        try (IdempotentExecutor slow =
                IdempotentExecutor.on(store).clock(nanos::get).build()) {
            Outcome<String> outcome = slow.execute(operation("k"), context -> {
                nanos.set(POLICY.lease().toNanos());
                return paid("k");
            });

            assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
        }
        assertThat(database.ledger()).isEmpty();
        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void aRecordLostByTheStoreIsRebuiltFromItsRow() throws Exception {
        executor.execute(operation("k"), context -> paid("k"));
        try (IdempotentExecutor afterLoss = IdempotentExecutor.on(new InMemoryIdempotencyStore(storeTime::get))
                .build()) {
            Outcome<String> outcome = afterLoss.execute(operation("k"), context -> paid("k"));

            assertThat(outcome).isEqualTo(new Outcome.Replayed<>(result("k")));
        }
        assertThat(database.ledger()).containsExactly("k");
    }

    private List<String> payEveryKey() throws Exception {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            String key = key(i);
            Outcome<String> outcome = attempt(key);
            while (!(outcome instanceof Outcome.Executed<String> || outcome instanceof Outcome.Replayed<String>)) {
                expireLeases();
                outcome = outcome instanceof Outcome.Unrecorded<String> open
                        ? open.again().get()
                        : attempt(key);
            }
            answers.add(answer(outcome));
        }
        return answers.stream().sorted().toList();
    }

    private Outcome<String> attempt(String key) throws Exception {
        Work<String> work = context -> {
            expireLeases();
            return paid(key);
        };
        return executor.execute(operation(key), work);
    }

    private static String answer(Outcome<String> outcome) {
        return outcome instanceof Outcome.Replayed<String> replayed
                ? new String(replayed.result().content(), StandardCharsets.UTF_8)
                : ((Outcome.Executed<String>) outcome).value();
    }

    private WorkResult<String> paid(String key) {
        jdbc.update("INSERT INTO ledger VALUES (?)", key);
        return new WorkResult.Complete<>(key, result(key));
    }

    private Operation operation(String key) {
        return Operation.of(IdempotencyKey.of(key), SCOPE, POLICY).withInbox(inbox);
    }

    private void expireLeases() {
        storeTime.updateAndGet(now -> now.plus(POLICY.lease()).plusMillis(1));
    }

    private void count(IdempotencyEvent event) {
        if (event instanceof IdempotencyEvent.Claimed claimed
                && claimed.claim() instanceof Claim.Granted granted
                && granted.kind() == Claim.GrantKind.TAKEOVER) {
            takeovers.incrementAndGet();
        }
    }

    private static StoredResult result(String key) {
        return StoredResult.of("text", key.getBytes(StandardCharsets.UTF_8));
    }

    private static String key(int number) {
        return "key-" + number;
    }
}
