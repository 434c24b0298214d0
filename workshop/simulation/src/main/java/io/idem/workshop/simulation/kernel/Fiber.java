package io.idem.workshop.simulation.kernel;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that runs only while it holds the baton. Used by several kernels in turn. */
final class Fiber extends Thread {

    private final Fibers pool;
    private volatile boolean turn;
    private volatile boolean ended;
    private @Nullable Kernel kernel;
    private @Nullable Event begin;
    private @Nullable Machine machine;
    private @Nullable Event wake;
    private int crashes;

    Fiber(Fibers pool, int number) {
        super("sim-" + number);
        this.pool = pool;
        setDaemon(true);
    }

    @Override
    public void run() {
        while (true) {
            awaitTurn();
            if (ended) {
                return;
            }
            Kernel of = kernel();
            Event first = begin;
            begin = null;
            if (first != null) {
                of.work(this, first);
            }
        }
    }

    Kernel kernel() {
        Kernel of = kernel;
        if (of == null) {
            throw new IllegalStateException(this + " has no kernel");
        }
        return of;
    }

    void beginWith(Kernel of, Event event) {
        kernel = of;
        begin = event;
    }

    Machine machine() {
        Machine of = machine;
        if (of == null) {
            throw new IllegalStateException(this + " does nothing");
        }
        return of;
    }

    @Nullable Machine employer() {
        return machine;
    }

    void workFor(@Nullable Machine of) {
        machine = of;
        crashes = 0;
    }

    /** Counts a crash thrown into the current task, and returns the number of its crashes. */
    int crashed() {
        return ++crashes;
    }

    @Nullable Event wake() {
        return wake;
    }

    void wakeBy(@Nullable Event event) {
        wake = event;
    }

    void giveTurn() {
        turn = true;
        LockSupport.unpark(this);
    }

    void awaitTurn() {
        while (!turn) {
            LockSupport.park(this);
        }
        turn = false;
    }

    void end() {
        ended = true;
        giveTurn();
    }

    Fibers pool() {
        return pool;
    }
}
