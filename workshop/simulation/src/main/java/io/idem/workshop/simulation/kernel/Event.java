package io.idem.workshop.simulation.kernel;

import org.jspecify.annotations.Nullable;

/** A planned event: the start of a task or the continuation of a fiber. */
final class Event implements Comparable<Event> {

    private final Machine machine;
    private final @Nullable Fiber fiber;
    private final @Nullable Runnable task;
    private final boolean quick;
    private long at;
    private long number;
    private boolean cancelled;

    Event(long at, long number, Machine machine, @Nullable Fiber fiber, @Nullable Runnable task, boolean quick) {
        this.at = at;
        this.number = number;
        this.machine = machine;
        this.fiber = fiber;
        this.task = task;
        this.quick = quick;
    }

    long at() {
        return at;
    }

    Machine machine() {
        return machine;
    }

    @Nullable Fiber fiber() {
        return fiber;
    }

    @Nullable Runnable task() {
        return task;
    }

    /** Returns whether the task never waits, so that any thread may run it. */
    boolean quick() {
        return quick;
    }

    void cancel() {
        cancelled = true;
    }

    /**
     * Returns whether the event is dropped. Tasks of a dead machine never begin, but its fibers go on in order to
     * unwind.
     */
    boolean isVoid() {
        return cancelled || (task != null && machine.dead());
    }

    boolean isFrozen() {
        return !machine.dead() && machine.frozenUntil() > at;
    }

    void postpone(long newNumber) {
        at = machine.frozenUntil();
        number = newNumber;
    }

    @Override
    public int compareTo(Event other) {
        int byTime = Long.compare(at, other.at);
        return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
}
