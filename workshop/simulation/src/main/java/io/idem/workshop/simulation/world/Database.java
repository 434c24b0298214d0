package io.idem.workshop.simulation.world;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.CommitUnknownException;
import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.workshop.simulation.check.Names;
import io.idem.workshop.simulation.flaw.InboxFlaw;
import io.idem.workshop.simulation.kernel.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The business database, with a ledger and the inbox. A claim tries a lock that ends with its session, and does not wait.
 * If the inbox is the only store, its claim also looks at failed attempts, which the database counts.
 */
final class Database implements Inbox, Inbox.Failures {

    private static final Duration WAY = Duration.ofMillis(2);
    private static final Duration ASK_AGAIN = Duration.ofMillis(50);
    private static final Duration LONGEST_INQUIRY = Duration.ofSeconds(3);

    private final World world;
    private final FailureTable failed;
    private final Map<RecordId, Row> rows = new HashMap<>();
    private final Map<RecordId, Transaction> locks = new HashMap<>();
    private final List<Transaction> open = new ArrayList<>();
    private final Map<Thread, Transaction> current = new HashMap<>();

    Database(World world) {
        this.world = world;
        this.failed = new FailureTable(world);
    }

    private boolean has(InboxFlaw flaw) {
        return world.setup().inboxFlaw() == flaw;
    }

    private boolean alone() {
        return world.setup().alone();
    }

    FailureTable failed() {
        return failed;
    }

    /** Writes a business row of a key, within the inbox's transaction or immediately in its own. */
    void write(String key) {
        Transaction transaction = current.get(Thread.currentThread());
        if (transaction != null) {
            if (world.strikes(Fault.SESSION_LOST, 3)) {
                transaction.lose();
            }
            transaction.effects.add(key);
            return;
        }
        IdempotencyContext.current().ifPresent(IdempotencyContext::requireOwner);
        world.step("before the commit of " + key);
        CompletableFuture<Boolean> committed = new CompletableFuture<>();
        String attempt = world.attempts().current();
        later(() -> {
            effect(key, attempt);
            committed.complete(true);
        });
        committed.join();
        world.step("after the commit of " + key);
    }

    private void effect(String key, String attempt) {
        world.trace("database: " + key + " takes effect");
        world.log().tookEffect(key, attempt);
        world.history().tookEffect(key);
    }

    private String attempt(Lease lease) {
        return world.attempts().of(lease.owner());
    }

    private void later(Runnable statement) {
        world.kernel().soon(world.about(WAY), world.outside(), statement);
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        RecordId record = request.record();
        world.step("before the claim of the row");
        world.pause(WAY);
        if (alone() && world.strikes(Fault.NOT_EXECUTED, 1)) {
            throw silent("The claim of " + record, Execution.NOT_EXECUTED);
        }
        Optional<Transaction> claimed = claim(request, true);
        if (claimed.isEmpty()) {
            return notClaimed(request);
        }
        Transaction transaction = claimed.get();
        Lease row = lease(request);
        if (alone()) {
            told(transaction, row);
        }
        Optional<Effect> effect = work(transaction, () -> work.run(row));
        if (effect.isEmpty()) {
            transaction.close();
            return new InboxOutcome.RolledBack();
        }
        Effect done = effect.get();
        return commit(transaction, row, new Effect(done.result(), done.outgoing(), request.fingerprint()));
    }

    private long micros() {
        return TimeUnit.NANOSECONDS.toMicros(world.kernel().now());
    }

    private Lease lease(Request request) {
        Lease asked = request.lease();
        int attempt = alone() ? failed.attempts(request.record()) + 1 : asked.attempt();
        return new Lease(
                asked.record(),
                asked.owner(),
                Math.max(asked.fence(), has(InboxFlaw.FENCE_COUNTED) ? attempt : micros()),
                attempt,
                asked.duration(),
                asked.retention());
    }

    private void told(Transaction transaction, Lease row) {
        String name = Names.of(row.record());
        world.trace("database: " + transaction.machine + " claims " + name + " as attempt " + row.attempt());
        boolean beside = open.stream()
                .anyMatch(other -> other != transaction && other.record.equals(row.record()) && !other.ended());
        world.history().claimed(name, row.fence(), row.attempt(), world.kernel().now(), beside);
    }

    /** Answers a claim without a row: by the row of finished work, else by failures, each in a statement of its own. */
    private InboxOutcome notClaimed(Request request) {
        world.pause(WAY);
        Row row = rows.get(request.record());
        if (row != null) {
            return new InboxOutcome.Found(row.effect);
        }
        if (alone()) {
            world.pause(WAY);
            Optional<Claim> refusal = failed.refusal(request);
            if (refusal.isPresent()) {
                return new InboxOutcome.Refused(refusal.get());
            }
        } else {
            // The engine leaves the lease to expire, and the next owner takes it over.
            world.history().abandoned(Names.of(request.record()));
        }
        world.history().count("duplicates of work under way");
        return has(InboxFlaw.OPEN_TAKEN_FOR_DONE)
                ? new InboxOutcome.Found(new Effect(StoredResult.NONE, List.of(), Fingerprint.NONE))
                : new InboxOutcome.Open();
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

    /** Claims the row in one statement; empty if there is a row, another session has the lock, or failures forbid it. */
    private Optional<Transaction> claim(Request request, boolean looksAtFailures) {
        RecordId record = request.record();
        boolean forbidden = alone()
                && looksAtFailures
                && !has(InboxFlaw.FAILURES_IGNORED)
                && failed.refusal(request).isPresent();
        endDead(record);
        if (rows.containsKey(record) || isLocked(record) || forbidden) {
            return Optional.empty();
        }
        Transaction mine = new Transaction(record, world.kernel().machine());
        open.add(mine);
        locks.put(record, mine);
        return Optional.of(mine);
    }

    private void endDead(RecordId record) {
        Transaction other = locks.get(record);
        if (other != null && other.ended()) {
            other.close();
        }
    }

    private boolean isLocked(RecordId record) {
        return locks.containsKey(record) && !has(InboxFlaw.CLAIMED_WITHOUT_LOCK);
    }

    private InboxOutcome commit(Transaction transaction, Lease lease, Effect effect) {
        if (has(InboxFlaw.FAILURES_FORGIVEN_APART)) {
            failed.remove(lease.record());
        }
        world.step("before the commit");
        if (world.strikes(Fault.COMMIT_UNKNOWN, 10)) {
            breakConnection(transaction, lease, effect);
            return ask(lease, effect);
        }
        if (has(InboxFlaw.WORK_COMMITTED_APART)) {
            transaction.effects.forEach(key -> effect(key, attempt(lease)));
            transaction.effects.clear();
            world.step("between the work and its row");
        }
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        later(() -> answer.complete(execute(transaction, lease, effect)));
        boolean committed = answer.join();
        world.step("after the commit");
        return committed ? new InboxOutcome.Committed(effect) : ask(lease, effect);
    }

    private void breakConnection(Transaction transaction, Lease lease, Effect effect) {
        long hangs = world.random().nextLong(2 * lease.duration().toNanos());
        boolean arrived = world.random().nextBoolean();
        transaction.hangs = true;
        world.kernel().soon(hangs, world.outside(), () -> {
            if (arrived) {
                var unused = execute(transaction, lease, effect);
            } else {
                transaction.close();
            }
        });
    }

    private boolean execute(Transaction transaction, Lease lease, Effect effect) {
        boolean live = open.contains(transaction);
        if (!live && !has(InboxFlaw.COMMITTED_BY_DEAD_SESSION)) {
            return false;
        }
        transaction.close();
        if (rows.containsKey(transaction.record) && live) {
            return false;
        }
        rows.put(transaction.record, new Row(lease, effect, world.kernel().now()));
        if (lease.attempt() > 1) {
            failed.remove(transaction.record);
        }
        transaction.effects.forEach(key -> effect(key, attempt(lease)));
        return true;
    }

    /**
     * Finds out the result of a commit that failed, by claiming the row once more and rolling back, for as long as the
     * old session is open, but for three seconds at most.
     */
    private InboxOutcome ask(Lease lease, Effect effect) {
        if (has(InboxFlaw.UNKNOWN_COMMIT_COUNTED)) {
            throw new IllegalStateException("simulated: no answer to the commit");
        }
        RecordId record = lease.record();
        long end = world.kernel().now() + LONGEST_INQUIRY.toNanos();
        while (!rows.containsKey(record)) {
            world.step("before the inquiry");
            Optional<Transaction> inquiry = claim(new Request(lease, Fingerprint.NONE), false);
            if (inquiry.isPresent()) {
                inquiry.get().close();
                rolledBack(record);
                throw new IllegalStateException("simulated: rolled back");
            }
            if (world.kernel().now() > end) {
                world.history().commitUnknown(Names.of(record));
                throw new CommitUnknownException(record, new IllegalStateException("still open"));
            }
            world.pause(ASK_AGAIN);
        }
        Row row = row(record);
        return row.lease != null && row.lease.owner().equals(lease.owner())
                ? new InboxOutcome.Committed(effect)
                : new InboxOutcome.Found(row.effect);
    }

    private void rolledBack(RecordId record) {
        if (alone()) {
            world.history().workFailed(Names.of(record));
        }
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return Optional.ofNullable(rows.get(record)).map(Row::effect);
    }

    @Override
    public Optional<Failures> failures() {
        return alone() ? Optional.of(this) : Optional.empty();
    }

    @Override
    public Claim grant(AcquireRequest request) {
        throw new UnsupportedOperationException("No transaction is the last phase of its work here");
    }

    @Override
    public StoreAnswer fail(Request attempt, Duration delay, boolean counted) {
        RecordId record = attempt.record();
        world.step("before the failure of " + Names.of(record));
        world.pause(WAY);
        if (world.strikes(Fault.NOT_EXECUTED, 1)) {
            throw silent("The failure of " + record, Execution.NOT_EXECUTED);
        }
        if (rows.containsKey(record)) {
            return new StoreAnswer.Lost(
                    RecordState.COMPLETED, row(record).effect.result());
        }
        if (counted) {
            failed.count(attempt, delay);
            world.trace("database: " + failed.attempts(record) + " failed attempts of " + Names.of(record));
            world.history().failureCounted(Names.of(record), world.kernel().now() + delay.toNanos());
        }
        if (world.strikes(Fault.REPLY_LOST, 1)) {
            throw silent("The failure of " + record, Execution.UNKNOWN);
        }
        return new StoreAnswer.Ok(StoredResult.NONE);
    }

    @Override
    public StoreAnswer reject(Request attempt, String reason) {
        throw new UnsupportedOperationException("No work is rejected here");
    }

    private static StoreUnavailableException silent(String call, Execution execution) {
        return new StoreUnavailableException(call + " was not answered", execution, new IllegalStateException());
    }

    /** Ends the session of a random open transaction. */
    void endSession() {
        List<Transaction> live = open.stream().filter(each -> !each.ended()).toList();
        if (!live.isEmpty()) {
            live.get(world.random().nextInt(live.size())).lose();
        }
    }

    /** Lets the next attempt of failed work begin at once. */
    void release(RecordId record, long fence) {
        if (failed.release(record, fence)) {
            world.trace("operator: releases " + Names.of(record));
            world.history().released(Names.of(record));
        }
    }

    /** Removes the failures of this fence, and a row of this fence. */
    void reopen(RecordId record, long fence) {
        boolean unseen = has(InboxFlaw.REOPENED_UNSEEN);
        if (unseen) {
            rows.remove(record);
        }
        if (unseen || failed.of(record).filter(found -> found.fence() == fence).isPresent()) {
            failed.remove(record);
            world.trace("operator: reopens " + Names.of(record));
            world.history().reopened(Names.of(record));
        }
    }

    /** Writes the row of failed work without an effect; does nothing while an attempt is under way. */
    void complete(RecordId record, long fence) {
        endDead(record);
        boolean sameFailure =
                failed.of(record).filter(found -> found.fence() == fence).isPresent();
        if (isLocked(record) || !sameFailure || rows.containsKey(record)) {
            return;
        }
        if (!has(InboxFlaw.COMPLETED_WITHOUT_ROW)) {
            Effect none = new Effect(StoredResult.NONE, List.of(), Fingerprint.NONE);
            rows.put(record, new Row(null, none, world.kernel().now()));
        }
        failed.remove(record);
        world.trace("operator: completes " + Names.of(record));
        world.history().forced(Names.of(record));
    }

    /** Removes rows that are older than the retention. */
    void clean(Duration retention) {
        long oldest = world.kernel().now() - retention.toNanos();
        rows.values().removeIf(row -> row.at < oldest);
        for (RecordId record : failed.records()) {
            if (failed.of(record).filter(found -> found.at() < oldest).isPresent()) {
                failed.remove(record);
                world.history().reopened(Names.of(record));
            }
        }
    }

    /** Returns the completed or failed record. */
    Optional<RecordSnapshot> inspect(RecordId record) {
        return Optional.ofNullable(rows.get(record))
                .map(row -> new RecordSnapshot(
                        record.scope(),
                        RecordState.COMPLETED,
                        1,
                        row.lease == null ? 0 : row.lease.fence(),
                        Fingerprint.NONE,
                        Instant.EPOCH.plusNanos(row.at),
                        row.effect.result(),
                        ""));
    }

    /**
     * The row of finished work.
     *
     * @param lease lease of its owner; null if an operator completed it
     * @param at virtual time of its commit
     */
    private record Row(@Nullable Lease lease, Effect effect, long at) {}

    /** A transaction, which ends with its machine like a connection, unless its commit hangs on the way. */
    private final class Transaction {

        private final RecordId record;
        private final Machine machine;
        private final List<String> effects = new ArrayList<>();
        private boolean hangs;

        Transaction(RecordId record, Machine machine) {
            this.record = record;
            this.machine = machine;
        }

        boolean ended() {
            return !open.contains(this) || (machine.dead() && !hangs);
        }

        void close() {
            open.remove(this);
            locks.remove(record, this);
        }

        void lose() {
            world.trace("database: ends the session of " + machine + " on " + Names.of(record));
            world.history().count("sessions ended");
            close();
        }
    }
}
