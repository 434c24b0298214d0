package io.idem.http.internal.servlet;

import io.idem.http.internal.admission.WaitingRoom.Seat;
import io.idem.internal.DaemonThreads;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The wait of one request for the attempt of another one. The request is suspended: it is left to the container, without a thread, until the
 * container dispatches it again and its key is asked for once more. Where it cannot be suspended, its thread waits. Kept in the request's
 * attributes; used by one thread at a time.
 */
final class RequestWait {

    private static final String ATTRIBUTE = RequestWait.class.getName();

    private final WaitingExecutor executor;
    private final AdmittedRequest admitted;
    private final HttpServletResponse response;
    private @Nullable Seat seat;
    private Map<String, String> logged = Map.of();
    private volatile boolean suspended;

    RequestWait(WaitingExecutor executor, AdmittedRequest admitted, HttpServletResponse response) {
        this.executor = executor;
        this.admitted = admitted;
        this.response = response;
    }

    static Optional<RequestWait> of(ServletRequest request) {
        return Optional.ofNullable((RequestWait) request.getAttribute(ATTRIBUTE));
    }

    /** Returns whether the request was left to the container, so that nobody else may answer it. */
    boolean suspended() {
        return suspended;
    }

    /**
     * Waits for a moment on this thread, or suspends the request until another one no longer has its key.
     *
     * @return whether the caller asks for the key again; if not, and the request is not suspended, it waits no longer
     */
    boolean again() {
        Seat mine = seat == null ? executor.enter(admitted.options()).orElse(null) : seat;
        seat = mine;
        if (mine == null || mine.over()) {
            return false;
        }
        if (!executor.suspendable(admitted.request(), response)) {
            return paused(mine);
        }
        suspend(admitted.request(), mine);
        return false;
    }

    private static boolean paused(Seat seat) {
        try {
            TimeUnit.NANOSECONDS.sleep(seat.nextPause().toNanos());
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void suspend(HttpServletRequest request, Seat mine) {
        request.setAttribute(ATTRIBUTE, this);
        logged = Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.of());
        AsyncContext context = request.startAsync(request, response);
        suspended = true;
        BooleanSupplier busy = () -> executor.busy(admitted.operation());
        new Suspension(context, context.getTimeout(), mine, busy, new AtomicBoolean()).begin();
    }

    /** Gives the seat back, unless the request is suspended. */
    void end() {
        if (!suspended && seat != null) {
            seat.close();
        }
    }

    /** Returns the request as it is to be begun again, in the dispatch for which it waited. */
    ResumedRequest resume(HttpServletRequest dispatched) {
        suspended = false;
        return new ResumedRequest(dispatched, logged);
    }

    AdmittedRequest admitted(ResumedRequest request) {
        return new AdmittedRequest(admitted.operation(), admitted.options(), request);
    }

    /**
     * One stay with the container.
     *
     * @param timeout the container's time, for what comes behind the wait: the wait ends by itself, and being asked for its key once more
     *     at that time the request would count twice
     */
    private record Suspension(AsyncContext context, long timeout, Seat seat, BooleanSupplier busy, AtomicBoolean over)
            implements AsyncListener {

        void begin() {
            context.setTimeout(0);
            context.addListener(this);
            var unused = seat.ended().thenRun(this::dispatch);
            lookLater();
        }

        private void lookLater() {
            DaemonThreads.after(seat.nextPause()).execute(this::look);
        }

        private void look() {
            if (!seat.over() && !over.get() && busy.getAsBoolean()) {
                lookLater();
            } else {
                dispatch();
            }
        }

        private void dispatch() {
            if (over.compareAndSet(false, true)) {
                context.setTimeout(timeout);
                context.dispatch();
            }
        }

        /** Lets the request ask for its key, and perhaps wait again, if something else has set a time. */
        @Override
        public void onTimeout(AsyncEvent event) {
            dispatch();
        }

        /** Ends the wait of a client that has gone. */
        @Override
        public void onError(AsyncEvent event) {
            over.set(true);
        }

        @Override
        public void onComplete(AsyncEvent event) {
            over.set(true);
            seat.close();
        }

        /** Does nothing: the listener is not that of other asynchronous work. */
        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
