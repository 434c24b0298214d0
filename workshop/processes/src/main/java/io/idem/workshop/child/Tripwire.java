package io.idem.workshop.child;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Stops the first thread that passes a point with the key it was set for, until it is released. One at a time for each
 * process. Thread-safe.
 */
final class Tripwire {

    /**
     * What is waited for.
     *
     * @param point where
     * @param scope whose; empty for any
     * @param key the client's or the message's key; empty for any
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
        /** A thread stands at the point. */
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

    /** Lets the thread go on that stands at the point, and catches nobody any more. */
    synchronized void release() {
        state = State.IDLE;
        release.countDown();
    }

    synchronized State state() {
        return state;
    }

    /** The state, and with {@link State#REACHED} the scope and the key of the record that is held up, all in one line. */
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
