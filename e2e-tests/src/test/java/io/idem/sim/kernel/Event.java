package io.idem.sim.kernel;

import org.jspecify.annotations.Nullable;

/** Something that is to happen: a task begins, or a fiber goes on. */
final class Event implements Comparable<Event> {

    private final Machine machine;
    private final @Nullable Fiber fiber;
    private final @Nullable Runnable task;
    private long at;
    private long number;
    private boolean cancelled;

    Event(long at, long number, Machine machine, @Nullable Fiber fiber, @Nullable Runnable task) {
        this.at = at;
        this.number = number;
        this.machine = machine;
        this.fiber = fiber;
        this.task = task;
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

    void cancel() {
        cancelled = true;
    }

    /** Tasks of the dead never begin; their fibers go on, to unwind. */
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
