package io.idem.workshop.simulation.kernel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A pool of threads for fibers, kept from one run to the next. Accessed only by the thread with the baton. */
public final class Fibers implements AutoCloseable {

    private final Deque<Fiber> idle = new ArrayDeque<>();
    private final List<Fiber> all = new ArrayList<>();

    Fiber take() {
        Fiber known = idle.poll();
        if (known != null) {
            return known;
        }
        Fiber fresh = new Fiber(this, all.size() + 1);
        all.add(fresh);
        fresh.start();
        return fresh;
    }

    void giveBack(Fiber fiber) {
        idle.push(fiber);
    }

    @Override
    public void close() {
        all.forEach(Fiber::end);
    }
}
