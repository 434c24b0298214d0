package io.idem.workshop.simulation.kernel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time, order and randomness of one run. Of many threads only one runs at a time: a thread that has to wait
 * determines the next event and hands the baton to the thread of that event. So blocking code runs unchanged, and the
 * seed determines everything.
 */
public final class Kernel {

    /** Maximum number of crashes thrown into one task, whose clean-up code may meet several. */
    private static final int MOST_CRASHES = 20;

    private static final long MOST_EVENTS = 5_000_000;

    private final Fibers threads;
    private final SplittableRandom random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Set<Fiber> parked = new LinkedHashSet<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private final Machine outside = new Machine("outside");
    private long now = 1;
    private long numbers;
    private boolean over;
    private boolean aside;

    public Kernel(long seed, Fibers threads) {
        this.random = new SplittableRandom(seed);
        this.threads = threads;
    }

    /** Returns the kernel whose baton the calling thread holds. */
    public static Kernel current() {
        return currentFiber().kernel();
    }

    private static Fiber currentFiber() {
        if (Thread.currentThread() instanceof Fiber fiber) {
            return fiber;
        }
        throw new IllegalStateException("Called outside of the simulation by " + Thread.currentThread());
    }

    /**
     * Runs a story until it returns, and then unwinds all other fibers. Called from outside of the simulation.
     *
     * @param patience maximum duration in real time
     * @return exceptions that no fiber should have thrown
     */
    public List<Throwable> run(Runnable story, Duration patience) throws InterruptedException {
        Event first = new Event(
                now,
                ++numbers,
                outside,
                null,
                () -> {
                    try {
                        story.run();
                    } finally {
                        over = true;
                    }
                },
                false);
        hand(first);
        if (!done.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new StuckException(threads);
        }
        return List.copyOf(failures);
    }

    public long now() {
        return now;
    }

    public SplittableRandom random() {
        return random;
    }

    /** Returns the machine for which the calling fiber works. */
    public Machine machine() {
        return currentFiber().machine();
    }

    /** Returns the number of events. */
    public long events() {
        return numbers;
    }

    public Machine machine(String name) {
        return new Machine(name);
    }

    /** Plans a task of a machine after a delay. Returns a handle that cancels it. */
    public Runnable after(long nanos, Machine machine, Runnable task) {
        return plan(nanos, machine, task, false);
    }

    /** Plans a task of a machine that never waits. The task needs no fiber of its own, which is much faster. */
    public void soon(long nanos, Machine machine, Runnable task) {
        plan(nanos, machine, task, true);
    }

    private Runnable plan(long nanos, Machine machine, Runnable task, boolean quick) {
        Event event = new Event(now + Math.max(0, nanos), ++numbers, machine, null, task, quick);
        events.add(event);
        return event::cancel;
    }

    /** Lets virtual time pass for the calling fiber. */
    public void sleep(long nanos) {
        Fiber me = currentFiber();
        check(me);
        if (aside) {
            throw new IllegalStateException("What is called quick waits");
        }
        park(me, Math.max(0, nanos));
        check(me);
    }

    private void check(Fiber fiber) {
        if (over || fiber.machine().dead()) {
            if (fiber.crashed() == MOST_CRASHES) {
                failures.add(new IllegalStateException("Somebody swallows crashes"));
            }
            throw new Crash(fiber.machine());
        }
    }

    /** Returns whether the caller may wait; tasks planned by {@link #soon} may not. */
    public boolean mayWait() {
        return !aside;
    }

    /**
     * Throws a {@link Crash} if the machine of the calling fiber is dead. Called before each step that a dead machine
     * must not take.
     */
    public void check() {
        check(currentFiber());
    }

    private void park(Fiber me, long nanos) {
        Event wake = new Event(now + nanos, ++numbers, me.machine(), me, null, false);
        me.wakeBy(wake);
        events.add(wake);
        parked.add(me);
        Event next = next();
        if (next == null || next.fiber() != me) {
            hand(next);
            me.awaitTurn();
        }
        parked.remove(me);
        me.wakeBy(null);
    }

    /** Returns a waker that ends sleeps of the calling fiber early until it is closed. */
    public Waker waker() {
        return new Waker(this, currentFiber());
    }

    void wake(Fiber fiber) {
        Event planned = fiber.wake();
        if (planned != null) {
            planned.cancel();
            Event wake = new Event(now, ++numbers, fiber.machine(), fiber, null, false);
            fiber.wakeBy(wake);
            events.add(wake);
        }
    }

    /** Kills a machine, whose fibers unwind. Throws a {@link Crash} if the caller belongs to it. */
    public void crash(Machine machine) {
        machine.die();
        parked.stream().filter(fiber -> fiber.machine() == machine).toList().forEach(this::wake);
        check(currentFiber());
    }

    /** Stops a machine for a while, including the caller if it belongs to it. */
    public void freeze(Machine machine, long nanos) {
        machine.freezeUntil(now + nanos);
        if (currentFiber().machine() == machine) {
            sleep(nanos);
        }
    }

    /** Runs an event on a fiber, and then further events until one needs another thread. */
    void work(Fiber me, Event first) {
        Event event = first;
        while (event != null && event.fiber() == null) {
            execute(me, event);
            event = next();
        }
        threads.giveBack(me);
        hand(event);
    }

    private void execute(Fiber me, Event event) {
        me.workFor(event.machine());
        Runnable task = event.task();
        try {
            if (task != null) {
                task.run();
            }
        } catch (Crash expected) {
            // The expected end of the task.
        } catch (Throwable unexpected) {
            failures.add(unexpected);
            over = true;
        }
        me.workFor(null);
    }

    /** Returns the next event; null when everything has ended. */
    private @Nullable Event next() {
        while (!over) {
            Event event = events.poll();
            if (event == null || numbers > MOST_EVENTS) {
                failures.add(new IllegalStateException(event == null ? "Nothing happens any more" : "It never ends"));
                over = true;
            } else if (event.isVoid()) {
                // Dropped.
            } else if (event.isFrozen()) {
                event.postpone(++numbers);
                events.add(event);
            } else {
                now = Math.max(now, event.at());
                if (!event.quick()) {
                    return event;
                }
                aside(event);
            }
        }
        return parked.isEmpty() ? null : unwinding();
    }

    private void aside(Event event) {
        Fiber me = currentFiber();
        Machine before = me.employer();
        aside = true;
        execute(me, event);
        aside = false;
        me.workFor(before);
    }

    private Event unwinding() {
        Fiber fiber = parked.iterator().next();
        parked.remove(fiber);
        return new Event(now, ++numbers, fiber.machine(), fiber, null, false);
    }

    private void hand(@Nullable Event event) {
        if (event == null) {
            done.countDown();
            return;
        }
        Fiber to = event.fiber();
        if (to == null) {
            to = threads.take();
            to.beginWith(this, event);
        }
        to.giveTurn();
    }
}
