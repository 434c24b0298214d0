package io.idem.workshop.child;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Stops the first thread that passes a given point with a given key, until it is released. One trap at a time for each
 * process. Thread-safe.
 */
final class Tripwire {

    /**
     * The condition under which a thread is stopped.
     *
     * @param point the point
     * @param scope the scope; empty for any
     * @param key the key of the client or the message; empty for any
     */
    record Trap(Point point, String scope, String key) {

        boolean catches(Point passed, RecordId record) {
            return point == passed
                    && (scope.isEmpty() || scope.equals(record.scope().name()))
                    && (key.isEmpty() || key.equals(record.key().value()));
        }
    }

    /** The states of a tripwire. */
    enum State {
        /** The tripwire is not set. */
        IDLE,
        /** The tripwire is set, and no thread has reached it. */
        SET,
        /** A thread is stopped at the point. */
        REACHED
    }

    private static final RecordId NONE = new RecordId(IdempotencyKey.of("none"), new Scope("none"));

    private @Nullable Trap trap;
    private @Nullable RecordId caught;
    private State state = State.IDLE;
    private CountDownLatch release = new CountDownLatch(1);

    synchronized void set(Trap wanted) {
        trap = wanted;
        caught = null;
        state = State.SET;
        release = new CountDownLatch(1);
    }

    /** Releases the stopped thread, and stops no further one. */
    synchronized void release() {
        state = State.IDLE;
        release.countDown();
    }

    synchronized State state() {
        return state;
    }

    /** Returns the state in one line, with the scope and the key of the record that a stopped thread works on. */
    synchronized String report() {
        return state == State.REACHED && caught != null
                ? state + " " + caught.scope().name() + " " + caught.key().value()
                : state.name();
    }

    /** Passes a point that belongs to no record. */
    void pass(Point point) {
        pass(point, NONE);
    }

    void pass(Point point, RecordId record) {
        if (catches(point, record)) {
            await();
        }
    }

    private synchronized boolean catches(Point point, RecordId record) {
        if (state != State.SET || trap == null || !trap.catches(point, record)) {
            return false;
        }
        state = State.REACHED;
        caught = record;
        return true;
    }

    private void await() {
        try {
            latch().await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized CountDownLatch latch() {
        return release;
    }
}
