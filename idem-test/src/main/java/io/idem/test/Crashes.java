package io.idem.test;

import io.idem.OwnerToken;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The crashes that a test asks for. A crash belongs to the thread that delivers, so that other threads go on as other
 * processes would; or, where threads change, to the first attempt that reaches its point. Thread-safe.
 */
final class Crashes {

    /** Not static: every application of a test run has its own. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Optional<Crash>> current = ThreadLocal.withInitial(Optional::empty);

    private final AtomicReference<@Nullable Crash> anywhere = new AtomicReference<>();
    private final Map<OwnerToken, CrashPoint> dead = new ConcurrentHashMap<>();

    /**
     * Runs a call on this thread until it crashes.
     *
     * @throws AssertionError if the call ends without reaching the point
     */
    void during(CrashPoint point, Callable<?> act) {
        Crash crash = new Crash(point);
        current.set(Optional.of(crash));
        requireReached(crash, act, current::remove);
    }

    /**
     * Runs a call until the first attempt that reaches the point crashes, on any thread; one call at a time.
     *
     * @throws AssertionError if the call ends and no attempt has reached the point
     */
    void duringAnywhere(CrashPoint point, Callable<?> act) {
        Crash crash = new Crash(point);
        anywhere.set(crash);
        requireReached(crash, act, () -> anywhere.set(null));
    }

    private static void requireReached(Crash crash, Callable<?> act, Runnable afterwards) {
        Throwable thrown = null;
        try {
            act.call();
        } catch (Exception | Error failure) {
            thrown = failure;
        } finally {
            afterwards.run();
        }
        if (!crash.happened) {
            throw new AssertionError(
                    "Nothing came to the point " + crash.point
                            + ": the work was not granted, was a duplicate, failed, or ended on an unwatched thread",
                    thrown);
        }
    }

    /** Refuses writes after a crash, of its thread and of its owner. */
    void requireAlive(OwnerToken owner) {
        current.get().filter(crash -> crash.happened).ifPresent(crash -> {
            throw new SimulatedCrash(crash.point);
        });
        CrashPoint died = dead.get(owner);
        if (died != null) {
            throw new SimulatedCrash(died);
        }
    }

    /** Crashes if the test asks for it at this point. */
    void at(CrashPoint point, OwnerToken owner) {
        current.get().filter(crash -> crash.point == point).ifPresent(crash -> die(crash, owner));
        Crash first = anywhere.get();
        if (first != null && first.point == point && anywhere.compareAndSet(first, null)) {
            die(first, owner);
        }
    }

    private void die(Crash crash, OwnerToken owner) {
        crash.happened = true;
        dead.put(owner, crash.point);
        throw new SimulatedCrash(crash.point);
    }

    /** Returns whether an owner has crashed, so that its heartbeat must stop. */
    boolean died(OwnerToken owner) {
        return dead.containsKey(owner);
    }

    private static final class Crash {

        private final CrashPoint point;
        private volatile boolean happened;

        Crash(CrashPoint point) {
            this.point = point;
        }
    }
}
