package io.idem.jdbc.outbox;

import io.idem.Inbox.Effect;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.internal.OutgoingTransports;
import io.idem.spi.OutgoingTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the messages of committed rows: those of this process at once, and those that another process has committed and
 * not sent, when they are due. A row is taken by one relay at a time. Its messages are sent at least once; repeated
 * ones have the same keys and message ids. Thread-safe; any number of instances may run.
 */
public final class OutboxRelay {

    /** The default time after which a committed row is due, unless its own process has sent its messages before. */
    public static final Duration DEFAULT_AFTER = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
    private static final int BATCH = 200;
    private static final int FRESH = 500;
    private static final Duration SLOW = Duration.ofSeconds(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(10);

    private final RelayRows rows;
    private final OutgoingTransports transports;
    private final Duration after;
    private final Set<Scope> scopes = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<RelayedRow> fresh = new ArrayBlockingQueue<>(FRESH);
    private final AtomicBoolean called = new AtomicBoolean();
    private volatile @Nullable ScheduledExecutorService thread;

    /**
     * Creates a relay that sends nothing before it is started, and does not connect before it serves a scope.
     *
     * @param transports the transports, obtained when the first message is to be sent
     * @param after the time after which a row is due that was committed or tried in vain; longer than a broker needs to
     *     confirm
     * @throws IllegalArgumentException if {@code after} is less than a second
     */
    public OutboxRelay(DataSource dataSource, Supplier<List<OutgoingTransport>> transports, Duration after) {
        if (after.toSeconds() < 1) {
            throw new IllegalArgumentException("The relay cannot wait for " + after + "; give it a second at least");
        }
        this.rows = new RelayRows(dataSource);
        this.transports = new OutgoingTransports(transports);
        this.after = after;
    }

    /**
     * Starts the relay's thread, which sends the messages that this process commits and looks for rows that are due.
     *
     * @param every the time between two looks for rows; zero if another instance looks
     */
    public synchronized void start(Duration every) {
        if (thread == null) {
            ScheduledExecutorService started = new ScheduledThreadPoolExecutor(1, OutboxRelay::daemon);
            if (!every.isZero()) {
                ScheduledFuture<?> unused =
                        started.scheduleWithFixedDelay(this::look, 0, every.toNanos(), TimeUnit.NANOSECONDS);
            }
            thread = started;
        }
    }

    private static Thread daemon(Runnable task) {
        Thread daemon = new Thread(task, "idem-outbox-relay");
        daemon.setDaemon(true);
        return daemon;
    }

    /** Sends the messages that this process has committed, for at most ten seconds, and ends the thread. Blocks. */
    public synchronized void stop() {
        ScheduledExecutorService running = thread;
        thread = null;
        if (running != null) {
            running.shutdown();
            try {
                var unused = running.awaitTermination(LONGEST_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            running.shutdownNow();
        }
    }

    /** Returns whether the thread runs. */
    public boolean running() {
        return thread != null;
    }

    /**
     * Makes this relay send the messages of a scope. Those of other scopes, which may have brokers of their own, stay
     * as they are.
     */
    void serve(Scope scope) {
        var unused = scopes.add(scope);
    }

    /**
     * Sends the messages that are due now, {@value #BATCH} rows at a time, as long as brokers confirm. Blocks; needs no
     * started thread.
     *
     * @return the number of rows whose messages were all confirmed
     */
    public long relay() {
        return scopes.stream().mapToLong(this::relay).sum();
    }

    private long relay(Scope scope) {
        long total = 0;
        int taken;
        int sent;
        do {
            List<RelayedRow> due = rows.take(scope, BATCH, after);
            taken = due.size();
            sent = due.isEmpty() ? 0 : send(due);
            total += sent;
        } while (taken == BATCH && sent > 0);
        return total;
    }

    /**
     * Returns the number of rows whose messages are not known to have been sent. Runs one query for each scope; blocks.
     */
    public long unsent() {
        return scopes.stream().mapToLong(rows::unsent).sum();
    }

    /** Looks for rows of a scope that nobody has, in a transaction as at run time. */
    void check() {
        List<RelayedRow> unused = rows.take(new Scope("idem-check"), 1, after);
    }

    /** Returns the time after which a row is due that was committed or tried in vain. */
    Duration after() {
        return after;
    }

    /**
     * Takes over the messages of a row that was committed, to send them soon, and returns the effect without them. If that is not possible,
     * the row is found when it is due. Never throws, because the row is committed.
     */
    Effect committed(Lease row, Effect effect) {
        ScheduledExecutorService running = thread;
        if (running != null && !effect.outgoing().isEmpty()) {
            RecordId record = row.record();
            if (fresh.offer(new RelayedRow(
                    record.key().id(), record.scope().name(), row.fence(), effect.outgoing()))) {
                call(running);
            }
        }
        return new Effect(effect.result(), List.of(), effect.fingerprint());
    }

    private void call(ScheduledExecutorService running) {
        if (called.compareAndSet(false, true)) {
            try {
                running.execute(this::sendFresh);
            } catch (RejectedExecutionException stopped) {
                LOG.debug("The relay was stopped; the remaining rows are found when they are due", stopped);
            }
        }
    }

    private void sendFresh() {
        called.set(false);
        List<RelayedRow> batch = new ArrayList<>();
        while (fresh.drainTo(batch, BATCH) > 0) {
            try {
                send(batch);
            } catch (RuntimeException failure) {
                LOG.warn("Rows could not be marked as sent; their messages are sent again in {}", after, failure);
            }
            batch.clear();
        }
    }

    private void look() {
        try {
            relay();
        } catch (RuntimeException failure) {
            LOG.warn("The relay could not look for messages that are due; the next look follows", failure);
        }
    }

    private int send(List<RelayedRow> batch) {
        Duration timeout = after.compareTo(LONGEST_TIMEOUT) < 0 ? after : LONGEST_TIMEOUT;
        List<RelayedRow> confirmed = new RelayPass(transports, timeout, SLOW).send(List.copyOf(batch));
        rows.sent(confirmed);
        return confirmed.size();
    }
}
