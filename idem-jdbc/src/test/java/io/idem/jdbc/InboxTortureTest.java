package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * The inbox alone, while sessions are killed: deliveries of few keys by many threads, with work that fails and other
 * payloads under the same keys. The ledger has no unique constraint, so it would show a second effect.
 */
@Tag("servers")
class InboxTortureTest {

    private static final int THREADS = 8;
    private static final int ROUNDS = 5;
    private static final int KEYS = 6;
    private static final int DELIVERIES = 24;
    private static final Duration BETWEEN_KILLS = Duration.ofMillis(60);
    private static final Scope SCOPE = new Scope("payments");
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofMinutes(1), Duration.ofDays(1));

    private final TestDatabase database = new TestDatabase();
    private final TestDatabase killers = new TestDatabase();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, List<String>> told = new ConcurrentHashMap<>();
    private final Map<String, Long> greatestFence = new ConcurrentHashMap<>();
    private final Set<String> fences = ConcurrentHashMap.newKeySet();
    private final AtomicInteger repeatedFences = new AtomicInteger();
    private final AtomicInteger kills = new AtomicInteger();
    private final ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void close() {
        killer.shutdownNow();
        threads.shutdownNow();
        killers.close();
        database.close();
    }

    @Test
    void everyKeyTakesEffectOnceHoweverManySessionsAreKilled() throws Exception {
        killSessionsAt("read committed");
    }

    @Tag("extended")
    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void everyKeyTakesEffectOnceInStricterIsolationLevelsToo(String isolation) throws Exception {
        killSessionsAt(isolation);
    }

    private void killSessionsAt(String isolation) throws Exception {
        JdbcTransactionManager manager = new JdbcTransactionManager(database.dataSource());
        new InboxSchema(database.dataSource(), manager).create();
        database.dataSource().setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
        InboxStore store = new InboxStore(database.dataSource());
        JdbcInbox inbox = new JdbcInbox(database.dataSource(), manager).asStore(store);
        Future<?> killing =
                killer.scheduleWithFixedDelay(this::killSession, 0, BETWEEN_KILLS.toMillis(), TimeUnit.MILLISECONDS);
        try (IdempotentExecutor executor =
                IdempotentExecutor.on(store).inbox(inbox).build()) {
            for (int round = 0; round < ROUNDS; round++) {
                deliverRound(executor, round);
            }
            assertThat(killing)
                    .as("the killer, which goes on until it is stopped")
                    .isNotDone();
            killer.shutdown();
            assertThat(killer.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
            for (int round = 0; round < ROUNDS; round++) {
                settleRound(executor, round);
            }
        }
        assertOnce();
    }

    private void deliverRound(IdempotentExecutor executor, int round) throws Exception {
        List<Future<?>> deliveries = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            Random random = new Random(31L * round + thread);
            deliveries.add(threads.submit(() -> {
                for (int i = 0; i < DELIVERIES; i++) {
                    deliver(executor, key(round, random.nextInt(KEYS)), random.nextInt(10));
                }
            }));
        }
        for (Future<?> delivery : deliveries) {
            delivery.get();
        }
    }

    private static String key(int round, int number) {
        return "key-" + round + "-" + number;
    }

    /** Delivers a message once, whatever becomes of it; notes what its sender was told. */
    private void deliver(IdempotentExecutor executor, String key, int dice) {
        boolean other = dice == 0;
        Operation operation = Operation.of(IdempotencyKey.of(key), SCOPE, POLICY)
                .withFingerprint(Fingerprint.of((other ? "other" : key).getBytes(StandardCharsets.UTF_8)));
        try {
            Outcome<String> outcome = executor.execute(operation, work(key, dice));
            if (outcome instanceof Outcome.Executed<String> executed) {
                tell(key, text(executed.result()));
            } else if (outcome instanceof Outcome.Replayed<String> replayed) {
                tell(key, text(replayed.result()));
            }
        } catch (Exception failedOrKilled) {
            // Whether the work took effect is told by a later delivery.
        }
    }

    private Work<String> work(String key, int dice) {
        return context -> {
            String entry = key + "@" + context.fence() + (dice == 0 ? " other" : "");
            greatestFence.merge(key, context.fence(), Math::max);
            if (!fences.add(key + "@" + context.fence())) {
                repeatedFences.incrementAndGet();
            }
            database.pay(entry);
            if (dice == 1) {
                throw new IllegalStateException("refused");
            }
            if (dice == 2) {
                return new WorkResult.Release<>("later", Duration.ZERO);
            }
            return new WorkResult.Complete<>(entry, StoredResult.of("text", entry.getBytes(StandardCharsets.UTF_8)));
        };
    }

    private void tell(String key, String result) {
        told.computeIfAbsent(key, unknown -> new CopyOnWriteArrayList<>()).add(result);
    }

    private static String text(StoredResult result) {
        return new String(result.content(), StandardCharsets.UTF_8);
    }

    /** Delivers every key until it is settled, without kills. */
    private void settleRound(IdempotentExecutor executor, int round) {
        for (int number = 0; number < KEYS; number++) {
            String key = key(round, number);
            for (int tries = 0; tries < 100 && !told.containsKey(key); tries++) {
                deliver(executor, key, tries % 2 == 0 ? 9 : 0);
            }
            deliver(executor, key, 9);
            deliver(executor, key, 0);
        }
    }

    private void assertOnce() {
        List<String> ledger = database.ledger();
        assertThat(kills).as("sessions killed").hasPositiveValue();
        assertThat(ledger.stream().map(entry -> entry.substring(0, entry.indexOf('@'))))
                .as("keys that took effect")
                .doesNotHaveDuplicates()
                .hasSize(ROUNDS * KEYS);
        told.forEach((key, results) -> assertThat(ledger)
                .as("what was told of " + key + ": " + results)
                .contains(results.get(0))
                .satisfies(unused -> assertThat(results).containsOnly(results.get(0))));
        assertThat(told).hasSize(ROUNDS * KEYS);
        assertThat(repeatedFences).as("fences that two attempts had").hasValue(0);
        // Workers whose sessions died run on: none of them commits behind a later one.
        assertThat(ledger)
                .extracting(entry -> entry.replace(" other", ""))
                .containsExactlyInAnyOrderElementsOf(greatestFence.entrySet().stream()
                        .map(key -> key.getKey() + "@" + key.getValue())
                        .toList());
    }

    private void killSession() {
        killers.jdbc()
                .queryForList(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?"
                                + " AND state <> 'idle' ORDER BY random() LIMIT 1",
                        Boolean.class,
                        database.dataSource().getApplicationName())
                .forEach(killed -> kills.incrementAndGet());
    }
}
