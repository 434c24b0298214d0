package io.idem.jdbc.outbox;

import static io.idem.internal.value.Arguments.require;

import io.idem.Inbox.Effect;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.internal.DaemonThreads;
import io.idem.internal.Durations;
import io.idem.internal.OutgoingTransports;
import io.idem.jdbc.TenantDataSources;
import io.idem.jdbc.internal.DatabaseProduct;
import io.idem.operations.UnsentMessages;
import io.idem.spi.OutgoingTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the messages of committed rows: those of this process at once, and those that another process has committed and
 * not sent, when they are due. A row is taken by one relay at a time. Its messages are sent at least once; repeated
 * ones have the same keys and message ids. A row that no broker takes holds up no other: it is tried again at its own
 * growing intervals. Thread-safe; any number of instances may run.
 */
public final class OutboxRelay implements UnsentMessages {

    /** The default time after which a committed row is due, unless its own process has sent its messages before. */
    public static final Duration DEFAULT_AFTER = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
    private static final int BATCH = 200;
    private static final int FRESH = 500;

    /** The delays of the relay after which rows that nobody here sends are told of. */
    private static final int FORGOTTEN = 10;

    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(10);

    private final TenantDataSources tenants;
    private final Destinations destinations;
    private final Duration after;
    private final Duration patience;
    private final FailingRows failing;
    private final Map<String, RelayRows> tables = new ConcurrentHashMap<>();
    private final Set<String> scopes = ConcurrentHashMap.newKeySet();
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<RelayedRow> fresh = new ArrayBlockingQueue<>(FRESH);
    private final AtomicBoolean called = new AtomicBoolean();
    private volatile Supplier<Set<String>> owned = Set::of;
    private volatile Consumer<List<Waiting>> counted = waiting -> {};
    private volatile @Nullable ScheduledExecutorService threads;

    /**
     * Creates a relay that sends nothing before it is started, and does not connect before it serves a scope.
     *
     * @param transports the transports, obtained when the first message is to be sent
     * @param after the time after which a row is due that was committed or tried in vain; longer than a broker needs to
     *     confirm
     * @throws IllegalArgumentException if {@code after} is less than a second, or if the data source chooses among
     *     several by the caller, whom the relay does not have
     */
    public OutboxRelay(DataSource dataSource, Supplier<List<OutgoingTransport>> transports, Duration after) {
        this(() -> Map.of("", dataSource), transports, after);
        require(
                !DatabaseProduct.isChosenByCaller(dataSource),
                dataSource
                        + " chooses a database by its caller, which a relay does not have; give it TenantDataSources");
    }

    /**
     * Creates a relay for the databases of several tenants. Sends nothing before it is started, and does not connect
     * before it serves a scope.
     *
     * @throws IllegalArgumentException if {@code after} is less than a second
     * @see #OutboxRelay(DataSource, Supplier, Duration)
     */
    public OutboxRelay(TenantDataSources tenants, Supplier<List<OutgoingTransport>> transports, Duration after) {
        require(after.toSeconds() >= 1, "The relay cannot wait for " + after + "; give it a second at least");
        this.tenants = tenants;
        this.after = after;
        this.patience = Durations.shorter(after, LONGEST_PATIENCE);
        this.destinations = new Destinations(new OutgoingTransports(transports), LIMIT, patience);
        this.failing = new FailingRows(after);
    }

    /**
     * Starts the relay's threads: one sends the messages that this process commits, and one looks for rows that are due.
     *
     * @param every the time between two looks for rows; zero if another instance looks
     */
    public synchronized void start(Duration every) {
        if (threads == null) {
            ScheduledExecutorService started =
                    new ScheduledThreadPoolExecutor(2, DaemonThreads.named("idem-outbox-relay"));
            if (!every.isZero()) {
                ScheduledFuture<?> unused = started.scheduleWithFixedDelay(
                        DaemonThreads.unending(this::look), 0, every.toNanos(), TimeUnit.NANOSECONDS);
            }
            threads = started;
        }
    }

    /** Sends the messages that this process has committed, for at most ten seconds, and ends the threads. Blocks. */
    public synchronized void stop() {
        ScheduledExecutorService running = threads;
        threads = null;
        if (running != null) {
            running.shutdown();
            try {
                var unused = running.awaitTermination(LONGEST_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            running.shutdownNow();
        }
    }

    /** Returns whether the threads run. */
    public boolean running() {
        return threads != null;
    }

    /**
     * Makes this relay send the messages of a scope. Those of other scopes, which may have brokers of their own, stay
     * as they are.
     */
    void serve(Scope scope) {
        var unused = scopes.add(scope.name());
    }

    /**
     * Makes this relay send the messages of further scopes while rows wait in them: those of the application that it has
     * no work for any more, for example because a route is gone. They need no table. The last call counts.
     *
     * @param further returns the names of the scopes
     */
    public void own(Supplier<Set<String>> further) {
        owned = further;
    }

    /** Asks for the tenants and returns their tables. */
    private Collection<RelayRows> tables() {
        Map<String, DataSource> now = tenants.byName();
        tables.keySet().retainAll(now.keySet());
        now.forEach((name, dataSource) -> tables.compute(
                name,
                (same, table) -> table != null && table.isIn(dataSource) ? table : new RelayRows(name, dataSource)));
        return List.copyOf(tables.values());
    }

    /**
     * Sends the messages that are due now, {@value #BATCH} rows of each tenant and scope at a time, as long as brokers
     * confirm. A database or a scope that fails is logged and holds up no other; a tenant whose database fails is left
     * alone for a while, longer each time. Blocks; needs no started thread.
     *
     * @return the number of rows whose messages were all confirmed
     */
    public long relay() {
        return tables().stream().mapToLong(this::relay).sum();
    }

    private long relay(RelayRows table) {
        List<Waiting> waiting = List.of();
        try {
            waiting = table.isLeftAlone() ? List.of() : count(table);
        } catch (Throwable failure) {
            table.uncounted(scopes);
            table.leaveAlone(patience);
            // An application without an outbox may have another database, or a table of another version.
            if (!table.counted().isEmpty()) {
                LOG.warn("The relay could not look for messages{}; the next look follows", table.ofTenant(), failure);
            }
        }
        return waiting.stream()
                .filter(each -> each.served() && each.rows() > 0)
                .mapToLong(each -> relay(table, each.scope()))
                .sum();
    }

    private long relay(RelayRows table, String scope) {
        long total = 0;
        int taken;
        int sent;
        try {
            do {
                List<RelayedRow> due = table.take(scope, BATCH, after);
                taken = due.size();
                sent = due.isEmpty() ? 0 : send(table, due);
                total += sent;
            } while (taken == BATCH && sent > 0);
        } catch (Throwable failure) {
            LOG.warn(
                    "Sending what waits in scope {}{} failed; the next look follows", scope, table.ofTenant(), failure);
        }
        return total;
    }

    /** Counts what waits in a table, and tells once of what nobody here sends. */
    private List<Waiting> count(RelayRows table) {
        Set<String> further = owned.get();
        List<Waiting> waiting = table.count(scopes, scope -> scopes.contains(scope) || further.contains(scope));
        waiting.stream()
                .filter(each -> !each.served() && each.oldestSeconds() > FORGOTTEN * after.toSeconds())
                .filter(each -> told.add(each.scope() + table.ofTenant()))
                .forEach(each -> LOG.warn(
                        "Committed rows have messages that this application does not send: {}. If no other one does, name the"
                                + " scope in idem.jdbc.outbox.scopes where its brokers are configured",
                        each));
        return waiting;
    }

    /**
     * Returns the number of rows whose messages are not known to have been sent, in the scopes that this relay serves.
     * Asks each database; blocks.
     */
    public long unsent() {
        return tables().stream()
                .flatMap(table -> count(table).stream())
                .filter(Waiting::served)
                .mapToLong(Waiting::rows)
                .sum();
    }

    /** Calls a listener after each look with what {@link #report} says of rows that wait, on a thread of the relay. */
    public void onCount(Consumer<List<Waiting>> listener) {
        counted = counted.andThen(listener);
    }

    @Override
    public Report report() {
        return new Report(
                tables.values().stream()
                        .flatMap(table -> table.counted().stream())
                        .toList(),
                failing.list());
    }

    /**
     * Looks for rows of a scope that nobody has, in a transaction as at run time. Databases of tenants, of which one may
     * be down, are left to the first look.
     */
    void check() {
        tables().stream()
                .filter(table -> table.tenant().isEmpty())
                .forEach(table -> table.take("idem-check", 1, after));
    }

    /** Returns the time after which a row is due that was committed or tried in vain. */
    Duration after() {
        return after;
    }

    /**
     * Takes over the messages of a row that this thread has committed in a data source, to send them soon, and returns
     * the effect without them. If that is not possible, the row is found when it is due. Never throws: it is committed.
     */
    Effect committed(DataSource dataSource, Lease row, Effect effect) {
        ScheduledExecutorService running = threads;
        RecordId record = row.record();
        try {
            if (running != null
                    && !effect.outgoing().isEmpty()
                    && tables.values().stream()
                            .filter(table -> table.isBehind(dataSource))
                            .findFirst()
                            .map(table -> new RelayedRow(
                                    table, record.key().id(), record.scope().name(), row.owner(), effect.outgoing()))
                            .filter(fresh::offer)
                            .isPresent()
                    && called.compareAndSet(false, true)) {
                running.execute(this::sendFresh);
            }
        } catch (Throwable stopped) {
            LOG.debug("The messages of {} are not sent at once; the row is found when it is due", record, stopped);
        }
        return new Effect(effect.result(), List.of(), effect.fingerprint());
    }

    private void sendFresh() {
        called.set(false);
        List<RelayedRow> batch = new ArrayList<>();
        while (fresh.drainTo(batch, BATCH) > 0) {
            batch.stream().collect(Collectors.groupingBy(RelayedRow::table)).forEach(this::sendFresh);
            batch.clear();
        }
    }

    private void sendFresh(RelayRows table, List<RelayedRow> rows) {
        try {
            int unused = send(table, rows);
        } catch (Throwable failure) {
            LOG.warn(
                    "{} rows{} could not be marked; their messages are sent in {}, again if they have left before",
                    rows.size(),
                    table.ofTenant(),
                    after,
                    failure);
        }
    }

    private void look() {
        try {
            long unused = relay();
        } catch (Throwable failure) {
            LOG.warn("The relay could not look for messages that are due; the next look follows", failure);
            tables.values().forEach(table -> table.uncounted(scopes));
        }
        counted.accept(report().waiting());
    }

    private int send(RelayRows table, List<RelayedRow> rows) {
        List<RowTry> tries = destinations.send(rows);
        List<RelayedRow> confirmed = tries.stream()
                .filter(each -> each.failure() == null)
                .map(RowTry::row)
                .toList();
        sent(table, confirmed);
        IdentityHashMap<RelayedRow, Duration> delays = new IdentityHashMap<>();
        rows.forEach(row -> delays.put(row, destinations.leavesAlone(row) ? patience : LIMIT));
        confirmed.forEach(delays::remove);
        failed(tries, delays);
        if (!delays.isEmpty()) {
            table.postpone(List.copyOf(delays.keySet()), delays::get);
        }
        return confirmed.size();
    }

    private void sent(RelayRows table, List<RelayedRow> confirmed) {
        confirmed.forEach(failing::confirmed);
        table.sent(confirmed)
                .forEach(row -> LOG.warn(
                        "The messages of {} have left, but the row is not in {}: it was committed in another database, and"
                                + " the relay looks only in those that a bean of type TenantDataSources names",
                        row,
                        table.dataSource()));
    }

    /**
     * Gives rows that were tried in vain each its own delay. Those that were refused together are tried again soon, one by one: the
     * reason may be that of another row. A row whose destination has refused another one by itself counts as tried for that reason.
     */
    private void failed(List<RowTry> tries, IdentityHashMap<RelayedRow, Duration> delays) {
        IdentityHashMap<RelayedRow, Duration> leftBehind = new IdentityHashMap<>(delays);
        Map<String, Throwable> reasons = new HashMap<>();
        List<Failing> now = new ArrayList<>();
        for (RowTry each : tries) {
            RelayedRow row = each.row();
            Throwable failure = each.failure();
            if (failure != null) {
                var unused = each.confirmation().thenRun(() -> confirmedLate(row));
                if (each.alone() || row.messages().isEmpty() || tries.size() == 1) {
                    leftBehind.remove(row);
                    row.destinations().forEach(destination -> reasons.put(destination, failure));
                    Optional<Failing> noted = failing.failed(row, failure);
                    delays.put(row, noted.map(failing::delay).orElse(after));
                    noted.ifPresent(now::add);
                }
            }
        }
        leftBehind
                .keySet()
                .forEach(row -> row.destinations()
                        .flatMap(destination -> Stream.ofNullable(reasons.get(destination)))
                        .findFirst()
                        .flatMap(failure -> failing.failed(row, failure))
                        .ifPresent(now::add));
        List<Failing> news = now.stream()
                .filter(row -> row.tries() == 1 || row.tries() == FailingRows.LISTED)
                .toList();
        if (!news.isEmpty()) {
            LOG.warn(
                    "No broker has confirmed the messages of {} rows, which are tried again less and less often: {}",
                    news.size(),
                    news.stream().limit(3).toList());
        }
    }

    /** Notes that a row was sent, after its time was over: it would be sent again and again to a slow broker. */
    private void confirmedLate(RelayedRow row) {
        ScheduledExecutorService running = threads;
        if (running != null) {
            running.execute(() -> sent(row.table(), List.of(row)));
        }
    }
}
