package io.idem.http.internal.webflux;

import io.idem.IdempotencyException;
import io.idem.Outcome;
import io.idem.WorkResult;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.http.HeaderPolicy;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.AnswerDecision;
import io.idem.http.internal.admission.AnswerDecision.Instead;
import io.idem.http.internal.admission.AnswerDecisions;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.ObservedRequest;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** Settles a granted request by its answer and then, always in this order, sends the answer that the outcome allows. */
final class ReactiveExchangeSettler {

    private final AsyncIdempotentExecutor executor;
    private final HeaderPolicy headers;
    private final Answers answers;

    ReactiveExchangeSettler(AsyncIdempotentExecutor executor, HeaderPolicy headers, Answers answers) {
        this.executor = executor;
        this.headers = headers;
        this.answers = answers;
    }

    /** Returns the receiver of the answers of a granted request. */
    AnswerSink of(ReactiveExchange exchange) {
        return new AnswerSink() {
            @Override
            public Mono<Void> whole(byte[] body) {
                return Mono.defer(() -> exchange.claimSettlement() ? settle(exchange, body) : Mono.empty());
            }

            @Override
            public Mono<Void> sent() {
                return Mono.defer(() ->
                        record(exchange, exchange.result(exchange.getResponse().captureWithoutBody(headers))));
            }

            @Override
            public Mono<Void> broken(Throwable failure) {
                exchange.handler().failed(failure);
                return exchange.handler().answerFailed() ? sent() : release(exchange);
            }
        };
    }

    /** Records a request whose handler did its work and whose answer could not be written, unless the request is settled already. */
    Mono<Void> recordWithoutAnswer(ReactiveExchange exchange) {
        return of(exchange).sent();
    }

    /** Releases the key, unless the request is settled already. Never fails. */
    Mono<Void> release(ReactiveExchange exchange) {
        return Mono.defer(() -> exchange.claimSettlement()
                ? settled(exchange, exchange.handler().release(exchange, ""))
                        .onErrorResume(IdempotencyException.class, unsettled -> {
                            answers.notReleased(exchange.operation(), unsettled);
                            return Mono.empty();
                        })
                        .then()
                        .doFinally(end -> observed(exchange, ObservedRequest.RELEASED))
                : Mono.empty());
    }

    /** Settles a request at its end, unless it is settled already; its key would stay in progress for as long as the lease is renewed. */
    Mono<Void> ended(ReactiveExchange exchange) {
        return Mono.defer(() -> exchange.getResponse().passing() ? of(exchange).sent() : release(exchange));
    }

    /** Records the result of a request whose client has its answer, unless the request is settled already. */
    private Mono<Void> record(ReactiveExchange exchange, WorkResult<ReactiveExchange> result) {
        if (!(result instanceof WorkResult.Complete)) {
            return release(exchange);
        }
        return Mono.defer(() -> exchange.claimSettlement()
                ? settled(exchange, result)
                        .doOnNext(outcome -> {
                            if (outcome instanceof Outcome.Unrecorded<ReactiveExchange> unrecorded) {
                                answers.notRecorded(exchange.operation(), unrecorded.why());
                            }
                        })
                        .onErrorResume(IdempotencyException.class, unsettled -> {
                            answers.notRecorded(exchange.operation(), unsettled);
                            return Mono.empty();
                        })
                        .then()
                        .doFinally(end -> observed(exchange, ObservedRequest.EXECUTED))
                : Mono.empty());
    }

    private Mono<Void> settle(ReactiveExchange exchange, byte[] body) {
        WorkResult<ReactiveExchange> result =
                exchange.result(exchange.getResponse().capture(body, headers));
        return settled(exchange, result)
                .flatMap(outcome -> decided(exchange, outcome))
                .map(decision -> instead(decision, exchange))
                .onErrorResume(
                        IdempotencyException.class,
                        unsettled -> Mono.just(Optional.of(answers.unsettled(unsettled, exchange.incoming()))))
                .flatMap(instead -> instead.map(answer -> ReactiveAnswerWriter.write(
                                answer, exchange.getResponse().getDelegate()))
                        .orElseGet(() -> exchange.getResponse().send(body)))
                .doFinally(end -> observed(
                        exchange,
                        result instanceof WorkResult.Complete ? ObservedRequest.EXECUTED : ObservedRequest.RELEASED));
    }

    /** Reports the outcome, unless an answer in place of the handler's has reported another. */
    private static void observed(ReactiveExchange exchange, String outcome) {
        if (exchange.getAttribute(ObservedRequest.ATTRIBUTE) instanceof ObservedRequest observed) {
            observed.ended(outcome);
        }
    }

    /** Settles the operation. After a timeout the work may still be running: then the lease expires, and the next attempt is a takeover. */
    private Mono<Outcome<ReactiveExchange>> settled(ReactiveExchange exchange, WorkResult<ReactiveExchange> result) {
        if (result instanceof WorkResult.Release<ReactiveExchange> && exchange.timedOut()) {
            exchange.operation().leave();
            return Mono.just(new Outcome.Released<>(exchange, false));
        }
        return Mono.fromCompletionStage(() -> executor.settle(exchange.operation(), result));
    }

    private Mono<AnswerDecision> decided(ReactiveExchange exchange, Outcome<ReactiveExchange> outcome) {
        AnswerDecision decision = AnswerDecisions.after(outcome, exchange.options());
        return decision instanceof AnswerDecision.RecordAgain first
                ? Mono.fromCompletionStage(() -> executor.again(first.unrecorded()))
                        .map(again -> AnswerDecisions.afterAgain(first.unrecorded(), again, exchange.options()))
                : Mono.just(decision);
    }

    private Optional<StoredResponse> instead(AnswerDecision decision, ReactiveExchange exchange) {
        return decision instanceof Instead instead
                ? Optional.of(answers.answer(instead, exchange.incoming()))
                : Optional.empty();
    }
}
