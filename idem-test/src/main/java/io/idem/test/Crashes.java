package io.idem.test;

import io.idem.OwnerToken;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The crashes that a test asks for. Each belongs to the thread that delivers: others go on, as other processes would. Or to the first
 * attempt that comes to its point, where threads change on the way. Thread-safe.
 */
final class Crashes {

    /** Not static: each application of a test run has its own. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Optional<Crash>> current = ThreadLocal.withInitial(Optional::empty);

    private final AtomicReference<@Nullable Crash> anywhere = new AtomicReference<>();
    private final Map<OwnerToken, CrashPoint> dead = new ConcurrentHashMap<>();

    /**
     * Does something on this thread until it crashes.
     *
     * @throws AssertionError if it ends without having come to that point
     */
    void during(CrashPoint point, Callable<?> act) {
        Crash crash = new Crash(point);
        current.set(Optional.of(crash));
        try {
            requireHappened(crash, thrownBy(act));
        } finally {
            current.remove();
        }
    }

    /**
     * Does something until the first attempt that comes to that point crashes, on whatever thread; one at a time.
     *
     * @throws AssertionError if it ends without any having come to that point
     */
    void duringAnywhere(CrashPoint point, Callable<?> act) {
        Crash crash = new Crash(point);
        anywhere.set(crash);
        try {
            requireHappened(crash, thrownBy(act));
        } finally {
            anywhere.set(null);
        }
    }

    private static @Nullable Throwable thrownBy(Callable<?> act) {
        try {
            act.call();
            return null;
        } catch (Exception | Error failure) {
            return failure;
        }
    }

    private static void requireHappened(Crash crash, @Nullable Throwable thrown) {
        if (!crash.happened) {
            throw missed(crash.point, thrown);
        }
    }

    private static AssertionError missed(CrashPoint point, @Nullable Throwable thrown) {
        return new AssertionError(
                "Nothing came to the point " + point
                        + ": the work was not granted, was a duplicate, failed, or ended on a thread that is not watched",
                thrown);
    }

    /** Nothing is written after a crash, neither by its thread nor by its owner. */
    void requireAlive(OwnerToken owner) {
        current.get().filter(crash -> crash.happened).ifPresent(crash -> {
            throw new SimulatedCrash(crash.point);
        });
        CrashPoint died = dead.get(owner);
        if (died != null) {
            throw new SimulatedCrash(died);
        }
    }

    /** Crashes if the test wants it here. */
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

    /** Whether it died: its heartbeat beats no more. */
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
