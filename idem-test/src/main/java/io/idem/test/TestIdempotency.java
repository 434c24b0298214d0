package io.idem.test;

import io.idem.IdempotencyKey;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.ExecutionObserver;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * What a test knows and decides about records: a store in memory, the clock that its leases and retention go by, what the records say,
 * and where work is to crash. Thread-safe.
 */
public final class TestIdempotency {

    private final ManualClock clock = new ManualClock();
    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(clock);
    private final Crashes crashes = new Crashes();
    private final CrashableStore store = new CrashableStore(memory, crashes);
    private final Runs runs = new Runs();

    /** Without any record. */
    public TestIdempotency() {}

    /** The store: to be the application's only one. */
    public IdempotencyStore store() {
        return store;
    }

    /** Counts runs; to be given to the application's executor. Without it {@link RecordAssert#ranOnce} and the like find none. */
    public ExecutionObserver runs() {
        return runs;
    }

    /** Lets time pass for leases, retry delays and retention, without waiting. Nothing else goes by this clock. */
    public void advance(Duration by) {
        clock.advance(by);
    }

    /** Lets time pass until every lease has ended that nobody renews: what a crash left behind can be taken over. */
    public void endLeases() {
        advance(store.longestLease());
    }

    /** Forgets all records and runs; the clock goes on from where it is. */
    public void reset() {
        memory.clear();
        runs.clear();
    }

    /**
     * Something that reaches idempotent work in the end, on the thread that does it, to be done as often and in such ways as a test
     * wants. For entries that have no helper of their own.
     *
     * @param act does it once; repeatable
     */
    public <R> Rehearsal<R> rehearse(Callable<R> act) {
        return new Rehearsal<>(act, crashes::during);
    }

    /**
     * The same where threads change on the way, as in WebFlux: into a crash goes the first attempt that comes to its point, on whatever
     * thread and whoever's it is. One crash at a time.
     *
     * @param act does it once, and waits for its end; repeatable
     */
    public <R> Rehearsal<R> rehearseAnywhere(Callable<R> act) {
        return new Rehearsal<>(act, crashes::duringAnywhere);
    }

    /** What the records of a key say; of the tenant that an application has if it has only one. */
    public KeyAssert assertThatKey(String key) {
        return assertThatKey(IdempotencyKey.of(key));
    }

    /** The same for a key of any tenant. */
    public KeyAssert assertThatKey(IdempotencyKey key) {
        return new KeyAssert(
                key, record -> new RecordAssert(new TestedRecord(record, store.inspect(record), runs.of(record))));
    }
}
