package io.idem.http.internal.admission;

import static io.idem.internal.Durations.shorter;
import static io.idem.internal.value.Arguments.require;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * The seats of requests that wait for the attempt of another one. All waits end when the application closes, which is before its server
 * waits for requests that are under way. Thread-safe; does not block.
 */
public final class WaitingRoom implements ApplicationListener<ContextClosedEvent> {

    private final Semaphore free;
    private final Set<Seat> taken = ConcurrentHashMap.newKeySet();
    private final ApplicationContext application;
    private volatile boolean closed;

    /**
     * Creates a room.
     *
     * @param seats largest number of requests that wait at a time
     * @param application ends the waits when it is closed; contexts below it tell of their end here too
     */
    public WaitingRoom(int seats, ApplicationContext application) {
        this.application = application;
        require(seats >= 0, "max-waiting " + seats + " is negative; use 0 to let no request wait");
        this.free = new Semaphore(seats);
    }

    /** Returns a seat for at most the given time; empty if the time is zero, all seats are taken, or the application closes. */
    public Optional<Seat> enter(Duration atMost) {
        if (atMost.isZero() || closed || !free.tryAcquire()) {
            return Optional.empty();
        }
        Seat seat = new Seat(System.nanoTime() + atMost.toNanos());
        taken.add(seat);
        if (closed) {
            seat.ended.complete(null);
        }
        return Optional.of(seat);
    }

    /** Returns the number of requests that wait. */
    public int waiting() {
        return taken.size();
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (event.getApplicationContext() != application) {
            return;
        }
        closed = true;
        taken.forEach(seat -> seat.ended.complete(null));
    }

    /** The seat of one request, for one thread at a time. Closing it twice has no effect. */
    public final class Seat implements AutoCloseable {

        private final long deadline;
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private Duration pause = AttemptWaits.FIRST_PAUSE;

        private Seat(long deadline) {
            this.deadline = deadline;
        }

        /** Returns whether the time is over or the application closes. */
        public boolean over() {
            return ended.isDone() || deadline - System.nanoTime() <= 0;
        }

        /** Returns the pause before the next look at the other attempt: longer each time, and at most the time that is left. */
        public Duration nextPause() {
            Duration next = pause;
            pause = AttemptWaits.after(pause);
            return shorter(next, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }

        /** Returns a future that is completed when the application closes. */
        public CompletableFuture<Void> ended() {
            return ended;
        }

        @Override
        public void close() {
            if (taken.remove(this)) {
                free.release();
            }
        }
    }
}
