package io.idem.http.internal.servlet;

import io.idem.Admission;
import io.idem.IdempotencyException;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.Work;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.AttemptWaits;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.WaitingRoom;
import io.idem.spi.IdempotencyStore;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Begins operations and, if the route says so, lets their requests wait for a running attempt to end. Thread-safe. */
record WaitingExecutor(
        IdempotentExecutor executor, WaitingRoom room, IdempotencyStore store, ThreadlessWaits threadless) {

    private static final Set<RecordState> UNDER_WAY = Set.of(RecordState.PENDING, RecordState.FAILED);

    /** Returns the wait of a request: that which it has begun, or a new one. */
    RequestWait waitOf(AdmittedRequest admitted, HttpServletResponse response) {
        return RequestWait.of(admitted.request()).orElseGet(() -> new RequestWait(this, admitted, response));
    }

    /** Returns whether a request can be left to the container. */
    boolean suspendable(HttpServletRequest request, HttpServletResponse response) {
        return request.isAsyncSupported() && threadless.possible(request, response);
    }

    Optional<WaitingRoom.Seat> enter(RouteOptions options) {
        return room.enter(options.waitFor());
    }

    /** Returns whether another attempt has the record; false if the store does not say. Blocks. */
    boolean busy(Operation operation) {
        try {
            return store.inspect(operation.record())
                    .filter(seen ->
                            UNDER_WAY.contains(seen.state()) && seen.at().isAfter(Instant.now()))
                    .isPresent();
        } catch (IdempotencyException unknown) {
            return false;
        }
    }

    /** Begins an operation; if the request is {@linkplain RequestWait#suspended suspended} then, the answer is not to be used. */
    Admission<HandlerRun> begin(AdmittedRequest admitted, RequestWait wait) {
        Operation operation = admitted.operation();
        try {
            Admission<HandlerRun> beginning = begin(operation, wait);
            boolean opened = AttemptWaits.replays(beginning)
                    && admitted.options().replayCondition().opened(operation.record());
            return opened ? begin(operation, wait) : beginning;
        } finally {
            wait.end();
        }
    }

    private Admission<HandlerRun> begin(Operation operation, RequestWait wait) {
        Admission<HandlerRun> beginning = executor.begin(operation);
        while (AttemptWaits.deferred(beginning) && wait.again()) {
            beginning = executor.begin(operation);
        }
        return beginning;
    }

    /**
     * Runs work that ends in this call; if the request is {@linkplain RequestWait#suspended suspended} then, the outcome is not to be used.
     *
     * @param started whether the work was begun: then the call does not wait again
     */
    <T> Outcome<T> execute(Operation operation, RequestWait wait, Work<T> work, BooleanSupplier started)
            throws Exception {
        try {
            Outcome<T> outcome = executor.execute(operation, work);
            while (AttemptWaits.deferred(outcome) && !started.getAsBoolean() && wait.again()) {
                outcome = executor.execute(operation, work);
            }
            return outcome;
        } finally {
            wait.end();
        }
    }
}
