package io.idem.http.internal.webflux;

import static io.idem.internal.Durations.shorter;

import io.idem.Admission;
import io.idem.Operation;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.http.ReplayCondition;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.AttemptWaits;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Begins operations and, if the route says so, waits for a running attempt to end, without blocking a thread. */
final class ReactiveWaitingExecutor {

    private final AsyncIdempotentExecutor executor;

    ReactiveWaitingExecutor(AsyncIdempotentExecutor executor) {
        this.executor = executor;
    }

    Mono<Admission<ReactiveExchange>> begin(Operation operation, RouteOptions options) {
        Mono<Admission<ReactiveExchange>> begun = begin(operation, options.waitFor());
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

    private Mono<Admission<ReactiveExchange>> begin(Operation operation, Duration waitFor) {
        return Mono.defer(() -> begin(operation, System.nanoTime() + waitFor.toNanos(), AttemptWaits.FIRST_PAUSE));
    }

    private Mono<Admission<ReactiveExchange>> begin(Operation operation, long deadline, Duration pause) {
        return Mono.fromCompletionStage(() -> executor.<ReactiveExchange>begin(operation))
                .flatMap(beginning -> {
                    Duration remaining = Duration.ofNanos(deadline - System.nanoTime());
                    if (!AttemptWaits.deferred(beginning) || remaining.isNegative() || remaining.isZero()) {
                        return Mono.just(beginning);
                    }
                    return Mono.delay(shorter(remaining, pause))
                            .then(begin(operation, deadline, AttemptWaits.after(pause)));
                });
    }
}
