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
 * Time, order and chance of one run. Many threads, of which one moves at a time: whoever has to wait looks what happens next and
 * hands the baton to whom it concerns. So blocking code runs as it is, and a seed decides everything.
 */
public final class Kernel {

    /** What is done on the way out may be told more than once. */
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

    /** The kernel whose baton the calling thread has. */
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
     * Runs a story until it returns; then everything else is unwound. Called from outside.
     *
     * @param patience of the real world
     * @return what no fiber should have thrown
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

    /** The machine for which the calling fiber works. */
    public Machine machine() {
        return currentFiber().machine();
    }

    /** How many events there were. */
    public long events() {
        return numbers;
    }

    public Machine machine(String name) {
        return new Machine(name);
    }

    /** Has something done by a machine, later. The answer takes it back. */
    public Runnable after(long nanos, Machine machine, Runnable task) {
        return plan(nanos, machine, task, false);
    }

    /** The same for what waits for nothing: it needs no fiber of its own, which is much faster. */
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

    /** Whether the caller may wait: not in what is called quick. */
    public boolean mayWait() {
        return !aside;
    }

    /** Throws if the machine of the calling fiber is dead: whatever is about to be done must not be. */
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

    /** Wakes the calling fiber before its time, until it is closed. */
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

    /** The machine dies; what it was doing unwinds. Throws if the caller belongs to it. */
    public void crash(Machine machine) {
        machine.die();
        parked.stream().filter(fiber -> fiber.machine() == machine).toList().forEach(this::wake);
        check(currentFiber());
    }

    /** The machine stands still; so does the caller if it belongs to it. */
    public void freeze(Machine machine, long nanos) {
        machine.freezeUntil(now + nanos);
        if (currentFiber().machine() == machine) {
            sleep(nanos);
        }
    }

    /** Runs on a fiber: its first event, and then what is next as long as that needs no other thread. */
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
            // Its machine died.
        } catch (Throwable unexpected) {
            failures.add(unexpected);
            over = true;
        }
        me.workFor(null);
    }

    /** Null when everything has ended. */
    private @Nullable Event next() {
        while (!over) {
            Event event = events.poll();
            if (event == null || numbers > MOST_EVENTS) {
                failures.add(new IllegalStateException(event == null ? "Nothing happens any more" : "It never ends"));
                over = true;
            } else if (event.isVoid()) {
                // Looks at the next one.
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
