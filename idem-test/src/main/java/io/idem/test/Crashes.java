package io.idem.test;

import io.idem.spi.OwnerToken;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The crashes that a test asks for. Each belongs to the thread that delivers: others go on, as other processes would. Thread-safe. */
final class Crashes {

    /** Not static: each application of a test run has its own. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Optional<Crash>> current = ThreadLocal.withInitial(Optional::empty);

    private final Set<OwnerToken> dead = ConcurrentHashMap.newKeySet();

    /**
     * Does something on this thread until it crashes.
     *
     * @throws AssertionError if it ends without having come to that point
     */
    void during(CrashPoint point, Callable<?> act) {
        Crash crash = new Crash(point);
        Throwable thrown = null;
        current.set(Optional.of(crash));
        try {
            act.call();
        } catch (Exception | Error failure) {
            thrown = failure;
        } finally {
            current.remove();
        }
        if (!crash.happened) {
            throw missed(point, thrown);
        }
    }

    private static AssertionError missed(CrashPoint point, @Nullable Throwable thrown) {
        return new AssertionError(
                "Nothing came to the point " + point
                        + " on this thread: the work was not granted, was a duplicate, failed, or"
                        + " ended on another thread",
                thrown);
    }

    /** Nothing is written after a crash. */
    void requireAlive() {
        current.get().filter(crash -> crash.happened).ifPresent(crash -> {
            throw new SimulatedCrash(crash.point);
        });
    }

    /** Crashes if the test wants it here. */
    void at(CrashPoint point, OwnerToken owner) {
        current.get().filter(crash -> crash.point == point).ifPresent(crash -> {
            crash.happened = true;
            dead.add(owner);
            throw new SimulatedCrash(point);
        });
    }

    /** Whether it died: its heartbeat beats no more. */
    boolean died(OwnerToken owner) {
        return dead.contains(owner);
    }

    private static final class Crash {

        private final CrashPoint point;
        private boolean happened;

        Crash(CrashPoint point) {
            this.point = point;
        }
    }
}
