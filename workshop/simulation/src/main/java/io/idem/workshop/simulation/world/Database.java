package io.idem.workshop.simulation.world;

import io.idem.CommitUnknownException;
import io.idem.IdempotencyContext;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.workshop.simulation.check.Names;
import io.idem.workshop.simulation.kernel.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The business database, with a ledger and the inbox. */
final class Database implements Inbox {

    private static final Duration WAY = Duration.ofMillis(2);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final World world;
    private final Map<RecordId, Row> rows = new HashMap<>();
    private final Map<RecordId, Transaction> open = new HashMap<>();
    private final Map<Thread, Transaction> current = new HashMap<>();

    Database(World world) {
        this.world = world;
    }

    /** Writes a business row of a key, within the inbox's transaction or immediately in its own. */
    void write(String key) {
        Transaction transaction = current.get(Thread.currentThread());
        if (transaction != null) {
            transaction.effects.add(key);
            return;
        }
        IdempotencyContext.current().ifPresent(IdempotencyContext::requireOwner);
        world.step("before the commit of " + key);
        CompletableFuture<Boolean> committed = new CompletableFuture<>();
        later(() -> {
            effect(key);
            committed.complete(true);
        });
        committed.join();
        world.step("after the commit of " + key);
    }

    private void effect(String key) {
        world.trace("database: " + key + " takes effect");
        world.history().tookEffect(key);
    }

    private void later(Runnable statement) {
        world.kernel().soon(world.about(WAY), world.outside(), statement);
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        Lease lease = request.lease();
        Optional<Transaction> claimed = claim(lease);
        if (claimed.isEmpty()) {
            return new InboxOutcome.Found(row(lease.record()).effect);
        }
        Transaction transaction = claimed.get();
        Lease fenced = fenced(lease);
        Optional<Effect> effect = work(transaction, () -> work.run(fenced));
        if (effect.isEmpty()) {
            transaction.close();
            return new InboxOutcome.RolledBack();
        }
        Effect done = effect.get();
        return commit(transaction, fenced, new Effect(done.result(), done.outgoing(), request.fingerprint()));
    }

    private Lease fenced(Lease lease) {
        long fence = Math.max(lease.fence(), TimeUnit.NANOSECONDS.toMicros(world.kernel().now()));
        return new Lease(
                lease.record(), lease.owner(), fence, lease.attempt(), lease.duration(), lease.retention());
    }

    private Row row(RecordId record) {
        Row row = rows.get(record);
        if (row == null) {
            throw new IllegalStateException("no row");
        }
        return row;
    }

    private Optional<Effect> work(Transaction transaction, Callable<Optional<Effect>> work) throws Exception {
        current.put(Thread.currentThread(), transaction);
        try {
            return work.call();
        } catch (Throwable failure) {
            transaction.close();
            throw failure;
        } finally {
            current.remove(Thread.currentThread());
        }
    }

    /** Claims the row. Waits for another transaction that holds it, for one lease at most. */
    private Optional<Transaction> claim(Lease lease) {
        RecordId record = lease.record();
        long end = world.kernel().now() + lease.duration().toNanos();
        world.step("before the claim of the row");
        world.pause(WAY);
        while (!rows.containsKey(record)) {
            Transaction other = open.get(record);
            if (other == null || other.gone()) {
                Transaction mine = new Transaction(record, world.kernel().machine());
                open.put(record, mine);
                return Optional.of(mine);
            }
            if (world.kernel().now() > end) {
                world.history().commitUnknown(Names.of(record));
                throw new CommitUnknownException(record, new IllegalStateException("still open"));
            }
            world.pause(LOOK_AGAIN);
        }
        return Optional.empty();
    }

    private InboxOutcome commit(Transaction transaction, Lease lease, Effect effect) {
        world.step("before the commit");
        boolean unknown = world.strikes(Fault.COMMIT_UNKNOWN, 10);
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        if (unknown) {
            breakConnection(transaction, lease, effect);
            return ask(lease, effect);
        }
        later(() -> answer.complete(execute(transaction, lease, effect)));
        boolean committed = answer.join();
        world.step("after the commit");
        return committed ? new InboxOutcome.Committed(effect) : ask(lease, effect);
    }

    private void breakConnection(Transaction transaction, Lease lease, Effect effect) {
        long hangs = world.random().nextLong(2 * lease.duration().toNanos());
        boolean arrived = world.random().nextBoolean();
        world.kernel().soon(hangs, world.outside(), () -> {
            if (arrived) {
                var unused = execute(transaction, lease, effect);
            } else {
                transaction.close();
            }
        });
    }

    private boolean execute(Transaction transaction, Lease lease, Effect effect) {
        if (open.get(transaction.record) != transaction) {
            return false;
        }
        transaction.close();
        rows.put(transaction.record, new Row(lease, effect));
        transaction.effects.forEach(this::effect);
        return true;
    }

    /** Finds out the result of a commit that failed, by claiming the row once more and rolling back. */
    private InboxOutcome ask(Lease lease, Effect effect) {
        Optional<Transaction> inquiry = claim(lease);
        if (inquiry.isPresent()) {
            inquiry.get().close();
            throw new IllegalStateException("simulated: rolled back");
        }
        Row row = row(lease.record());
        return row.lease.owner().equals(lease.owner()) ? new InboxOutcome.Committed(effect) : new InboxOutcome.Found(row.effect);
    }

    @Override
    public boolean decidesAlone() {
        return world.setup().decidesAlone();
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return Optional.ofNullable(rows.get(record)).map(Row::effect);
    }

    private record Row(Lease lease, Effect effect) {}

    /** A transaction, which ends with its machine like a connection. */
    private final class Transaction {

        private final RecordId record;
        private final Machine machine;
        private final List<String> effects = new ArrayList<>();

        Transaction(RecordId record, Machine machine) {
            this.record = record;
            this.machine = machine;
        }

        boolean gone() {
            return machine.dead();
        }

        void close() {
            open.remove(record, this);
        }
    }
}
