package io.idem.http.internal.webflux;

import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.HandlerRun;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.DisconnectedClientHelper;
import reactor.core.publisher.Mono;

/** Runs the handling of a granted request and settles its key on every path. */
record GuardedRun(ReactiveExchangeSettler settler, ErrorAnswers errors, Answers answers) {

    /**
     * Runs the handling of a request.
     *
     * @param clientGone signal that ends when the client has gone
     */
    Mono<Void> run(ReactiveExchange exchange, Mono<Void> clientGone, Function<ServerWebExchange, Mono<Void>> handling) {
        exchange.getResponse().answerTo(settler.of(exchange));
        clientGone.subscribe(nothing -> {}, failure -> {}, exchange.getResponse()::endStream);
        return Mono.defer(() -> begin(exchange, handling))
                .contextWrite(context -> context.put(
                                IdempotencyContext.class, exchange.operation().context())
                        .put(HandlerWork.class, new HandlerWork(exchange.handler())))
                .then(Mono.defer(exchange.getResponse()::setComplete))
                .onErrorResume(failure -> failed(exchange, failure))
                .onErrorResume(failure -> cleanUp(exchange).then(Mono.error(failure)))
                .then(Mono.defer(() -> cleanUp(exchange)));
    }

    /** Assembles the handling, with the context bound to the thread; code that runs later finds it in Reactor's context. */
    private static Mono<Void> begin(ReactiveExchange exchange, Function<ServerWebExchange, Mono<Void>> handling) {
        try {
            return exchange.operation().context().call(() -> handling.apply(exchange));
        } catch (Exception failure) {
            return Mono.error(failure);
        }
    }

    private Mono<Void> failed(ReactiveExchange exchange, Throwable failure) {
        HandlerRun handler = exchange.handler();
        if (handler.settled()) {
            return Mono.error(failure);
        }
        if (FailurePolicy.leavesStageOpen(failure)) {
            handler.timeOut();
        }
        Optional<StoredResponse> instead = exchange.getResponse().isCommitted()
                ? Optional.empty()
                : answers.failed(failure, handler.options(), exchange.incoming());
        noted(exchange, failure);
        if (handler.answerFailed()) {
            return settler.recordWithoutAnswer(exchange).then(Mono.error(failure));
        }
        if (instead.isPresent()) {
            return settler.release(exchange)
                    .then(ReactiveAnswerWriter.write(
                            instead.get(), exchange.getResponse().getDelegate()));
        }
        return storable(exchange, failure)
                ? errors.answer(exchange, failure).then(Mono.defer(exchange.getResponse()::setComplete))
                : Mono.error(failure);
    }

    /** Notes a failure, unless only the client has gone. */
    private static void noted(ReactiveExchange exchange, Throwable failure) {
        if (!exchange.getResponse().passing() || !DisconnectedClientHelper.isClientDisconnectedException(failure)) {
            exchange.handler().failed();
        }
    }

    private static boolean storable(ReactiveExchange exchange, Throwable failure) {
        return !exchange.getResponse().isCommitted()
                && ErrorAnswers.statusOf(failure)
                        .filter(status -> exchange.handler().stores(status.value()))
                        .isPresent();
    }

    private Mono<Void> cleanUp(ReactiveExchange exchange) {
        return settler.ended(exchange).then(exchange.cleanupMultipart());
    }
}
