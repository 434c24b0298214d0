package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Duplicates of one key whose work takes long, on a pool of five connections: other keys must run meanwhile. */
@Tag("servers")
class SlowKeyTest {

    private static final int POOL = 5;
    private static final int DUPLICATES = 8;
    private static final Duration SOON = Duration.ofSeconds(60);

    /** A policy with a lease so long that no caller gives up within the test. */
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofMinutes(10), Duration.ofDays(1));

    private final TestDatabase database = new TestDatabase();
    private final PoolOfFive pool = new PoolOfFive(database.dataSource());
    private final JdbcTransactionManager manager = new JdbcTransactionManager(pool);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);

    @AfterEach
    void close() {
        slowMayEnd.countDown();
        threads.shutdownNow();
        database.close();
    }

    @Test
    void otherKeysRunWhileDuplicatesOfASlowOneComeAndTheStoreIsThere() throws Exception {
        otherKeysRun(new InMemoryIdempotencyStore(), new JdbcInbox(pool, manager));
    }

    @Test
    void otherKeysRunWhileDuplicatesOfASlowOneComeAndTheInboxIsTheStore() throws Exception {
        InboxStore store = new InboxStore(pool);
        otherKeysRun(store, new JdbcInbox(pool, manager).asStore(store));
    }

    private void otherKeysRun(IdempotencyStore store, JdbcInbox inbox) throws Exception {
        new InboxSchema(pool, manager).create();
        CountDownLatch slowBegan = new CountDownLatch(1);
        try (IdempotentExecutor executor = IdempotentExecutor.on(store).build()) {
            Future<Outcome<String>> slow = threads.submit(() -> executor.execute(operation("slow", inbox), context -> {
                slowBegan.countDown();
                slowMayEnd.await();
                database.pay("slow");
                return new WorkResult.Complete<>("slow", StoredResult.NONE);
            }));
            slowBegan.await();
            List<Future<Outcome<String>>> duplicates = IntStream.range(0, DUPLICATES)
                    .mapToObj(each ->
                            threads.submit(() -> executor.<String>execute(operation("slow", inbox), context -> {
                                throw new AssertionError("ran beside the first");
                            })))
                    .toList();
            // Either they are told at once, or they hold what there is.
            await().atMost(SOON)
                    .until(() -> duplicates.stream().allMatch(Future::isDone) || database.waiting() >= POOL - 1);

            Future<Outcome<String>> other =
                    threads.submit(() -> executor.execute(operation("other", inbox), context -> {
                        database.pay("other");
                        return new WorkResult.Complete<>("other", StoredResult.NONE);
                    }));

            assertThat(other).succeedsWithin(SOON).isInstanceOf(Outcome.Executed.class);
            assertThat(slow).isNotDone();
            assertThat(pool.free()).as("connections that duplicates left").isEqualTo(POOL - 1);
            assertThat(duplicates)
                    .allSatisfy(duplicate ->
                            assertThat(duplicate).succeedsWithin(SOON).isInstanceOf(Outcome.InProgress.class));
            slowMayEnd.countDown();
            assertThat(slow).succeedsWithin(SOON).isInstanceOf(Outcome.Executed.class);
        }
        assertThat(database.ledger()).containsExactly("other", "slow");
    }

    private static Operation operation(String key, JdbcInbox inbox) {
        return Operation.of(IdempotencyKey.of(key), new Scope("payments"), POLICY)
                .withInbox(inbox);
    }

    /** Lets five connections be open at a time; whoever wants a sixth waits for as long as it takes. */
    private static final class PoolOfFive extends DelegatingDataSource {

        private final Semaphore free = new Semaphore(POOL);

        PoolOfFive(DataSource target) {
            super(target);
        }

        int free() {
            return free.availablePermits();
        }

        @Override
        public Connection getConnection() throws SQLException {
            free.acquireUninterruptibly();
            Connection real = super.getConnection();
            AtomicBoolean open = new AtomicBoolean(true);
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getTargetException();
                        } finally {
                            if (method.getName().equals("close") && open.compareAndSet(true, false)) {
                                free.release();
                            }
                        }
                    });
        }
    }
}
