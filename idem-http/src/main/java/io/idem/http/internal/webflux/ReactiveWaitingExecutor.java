package io.idem.http.internal.webflux;

import io.idem.Admission;
import io.idem.Operation;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.http.ReplayCondition;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.AttemptWaits;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.WaitingRoom;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Begins operations and, if the route says so, waits for a running attempt to end, without blocking a thread. */
record ReactiveWaitingExecutor(AsyncIdempotentExecutor executor, WaitingRoom room) {

    /** Begins an operation. A wait ends, without a grant, when {@code clientGone} does. */
    Mono<Admission<HandlerRun>> begin(Operation operation, RouteOptions options, Mono<Void> clientGone) {
        Mono<Admission<HandlerRun>> begun = Mono.defer(() -> begin(operation))
                .flatMap(first -> AttemptWaits.deferred(first)
                        ? room.enter(options.waitFor())
                                .map(seat -> Mono.using(() -> seat, mine -> again(operation, mine, clientGone, first)))
                                .orElseGet(() -> Mono.just(first))
                        : Mono.just(first));
        return options.replayCondition() == ReplayCondition.REPLAY
                ? begun
                : begun.flatMap(beginning -> AttemptWaits.replays(beginning)
                        ? opened(operation, options).flatMap(opened -> opened ? begun : Mono.just(beginning))
                        : Mono.just(beginning));
    }

    /** Evaluates the replay condition, which may block, on a thread for blocking calls. */
    private static Mono<Boolean> opened(Operation operation, RouteOptions options) {
        return Mono.fromCallable(() -> options.replayCondition().opened(operation.record()))
                .subscribeOn(Schedulers.boundedElastic());
    }

    private Mono<Admission<HandlerRun>> begin(Operation operation) {
        return Mono.fromCompletionStage(executor.<HandlerRun>begin(operation));
    }

    /** Begins the operation again and again; emits {@code last}, the last answer, if the wait ends first. */
    private Mono<Admission<HandlerRun>> again(
            Operation operation, WaitingRoom.Seat seat, Mono<Void> clientGone, Admission<HandlerRun> last) {
        Mono<Void> ended = Mono.fromFuture(seat.ended(), true).or(clientGone);
        return seat.over()
                ? Mono.just(last)
                : Mono.delay(seat.nextPause())
                        .takeUntilOther(ended)
                        .flatMap(next -> begin(operation))
                        .flatMap(next -> AttemptWaits.deferred(next)
                                ? again(operation, seat, clientGone, next)
                                : Mono.just(next))
                        .defaultIfEmpty(last);
    }
}
