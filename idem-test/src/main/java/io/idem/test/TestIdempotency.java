package io.idem.test;

import io.idem.IdempotencyEventListener;
import io.idem.IdempotencyKey;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * The idempotency of an application under test: a store in memory, the clock for its leases and retention, assertions
 * on records, and crashes at chosen points. Thread-safe.
 */
public final class TestIdempotency {

    private final ManualClock clock = new ManualClock();
    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(clock);
    private final Crashes crashes = new Crashes();
    private final CrashableStore store = new CrashableStore(memory, crashes);
    private final Runs runs = new Runs();

    /** Creates an instance without any record. */
    public TestIdempotency() {}

    /** Returns the store, which must be the application's only one. */
    public IdempotencyStore store() {
        return store;
    }

    /**
     * Returns a listener that counts runs; give it to the application's executor. Without it
     * {@link RecordAssert#ranOnce} and the like find no runs.
     */
    public IdempotencyEventListener runs() {
        return runs;
    }

    /** Lets time pass for leases, retry delays and retention, without waiting. Other clocks are not affected. */
    public void advance(Duration by) {
        clock.advance(by);
    }

    /**
     * Lets time pass until every lease that is not renewed has ended: the work of a crashed attempt can be taken over.
     */
    public void endLeases() {
        advance(store.longestLease());
    }

    /** Removes all records and counts of runs; the clock keeps its time. */
    public void reset() {
        memory.clear();
        runs.clear();
    }

    /**
     * Returns a rehearsal of any call that leads to idempotent work on the calling thread, for entry points without a
     * helper of their own.
     *
     * @param act makes the call once; repeatable
     */
    public <R> Rehearsal<R> rehearse(Callable<R> act) {
        return new Rehearsal<>(act, crashes::during);
    }

    /**
     * Returns a rehearsal of a call whose work changes threads, as in WebFlux. A crash hits the first attempt that
     * reaches its point, on any thread and of any caller. Only one crash at a time.
     *
     * @param act makes the call once and waits for its end; repeatable
     */
    public <R> Rehearsal<R> rehearseAnywhere(Callable<R> act) {
        return new Rehearsal<>(act, crashes::duringAnywhere);
    }

    /** Returns assertions on the records of a key of the default tenant. */
    public KeyAssert assertThatKey(String key) {
        return assertThatKey(IdempotencyKey.of(key));
    }

    /** Returns assertions on the records of a key of any tenant. */
    public KeyAssert assertThatKey(IdempotencyKey key) {
        return new KeyAssert(
                key,
                record -> new RecordAssert(
                        new TestedRecord(record, store.inspect(record), runs.of(record), memory.keys(record.scope()))));
    }
}
