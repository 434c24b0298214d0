package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.store.RecordCleaner;
import io.idem.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.DoubleStream;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** An inbox with rows of the last seven days, from which the oldest are removed while claims are measured. */
final class FilledInbox implements AutoCloseable {

    private static final Scope SCOPE = new Scope("bench");
    private static final Duration AGES = Duration.ofDays(7);
    private static final int REMOVED_AT_ONCE = 1_000;
    private static final Duration REMOVAL_PAUSE = Duration.ofMillis(200);
    private static final double HIGH = 0.99;
    private static final double NANOS_PER_MICRO = 1_000;
    private static final String FILL = "INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, owner, at, expires_at)"
            + " SELECT left(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', '-_'), 22), 'bench', 2, 1, 0,"
            + " row, substring(uuid_send(gen_random_uuid()) FOR 12), now(),"
            + " now() + make_interval(secs => ?::double precision * row / ?)"
            + " FROM generate_series(1, ?) row";

    private static final String EXPIRE = "UPDATE idem_record SET expires_at = now() WHERE scope = 'bench' AND fence > ? AND fence <= ?";

    private final HikariDataSource pool;
    private final JdbcTemplate jdbc;
    private final int rows;
    private final IdempotentExecutor executor;
    private final JdbcInbox inbox;
    private final Callers callers = new Callers(CallerWay.CALLERS + 1);
    private long removals;

    FilledInbox(WayDatabase database, int rows) {
        this.pool = database.pool();
        this.rows = rows;
        JdbcTransactionManager transactions = new JdbcTransactionManager(pool);
        new InboxSchema(pool, transactions).create();
        this.jdbc = new JdbcTemplate(pool);
        fill();
        this.inbox = new JdbcInbox(pool, transactions);
        this.executor = IdempotentExecutor.on(new InMemoryIdempotencyStore()).build();
    }

    private void fill() {
        jdbc.update(FILL, AGES.toSeconds(), rows, rows);
        jdbc.execute("VACUUM ANALYZE idem_record");
    }

    /** Returns the 99th percentile of the time from a call to the begin of its work, in microseconds. */
    double p99(Duration time) throws Exception {
        long deadline = System.nanoTime() + time.toNanos();
        ConcurrentLinkedQueue<double[]> all = new ConcurrentLinkedQueue<>();
        AtomicBoolean remover = new AtomicBoolean(true);
        callers.each(() -> {
            if (remover.getAndSet(false)) {
                removeUntil(deadline);
            } else {
                all.add(claimUntil(deadline));
            }
        });
        double[] micros = all.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
        return micros[(int) (HIGH * (micros.length - 1))];
    }

    private double[] claimUntil(long deadline) throws Exception {
        DoubleStream.Builder micros = DoubleStream.builder();
        do {
            micros.add(claim());
        } while (System.nanoTime() < deadline);
        return micros.build().toArray();
    }

    private double claim() throws Exception {
        Operation operation = Operation.of(
                        IdempotencyKey.of(UUID.randomUUID().toString()), SCOPE, ExecutionPolicy.defaults())
                .withInbox(inbox);
        long start = System.nanoTime();
        Outcome<Double> outcome = executor.execute(operation, context -> {
            double claimed = (System.nanoTime() - start) / NANOS_PER_MICRO;
            return new WorkResult.Complete<>(claimed, StoredResult.NONE);
        });
        if (outcome instanceof Outcome.Executed<Double> executed) {
            return executed.value();
        }
        throw new IllegalStateException("A new key ended as " + outcome);
    }

    /** Removes about a thousand of the oldest rows at a time. */
    private void removeUntil(long deadline) throws InterruptedException {
        while (System.nanoTime() < deadline) {
            removals++;
            long last = removals * REMOVED_AT_ONCE;
            if (last < rows) {
                jdbc.update(EXPIRE, last - REMOVED_AT_ONCE, last);
                long unused = new RecordCleaner(pool).clean();
            }
            Thread.sleep(REMOVAL_PAUSE.toMillis());
        }
    }

    @Override
    public void close() {
        callers.close();
        executor.close();
        pool.close();
    }
}
