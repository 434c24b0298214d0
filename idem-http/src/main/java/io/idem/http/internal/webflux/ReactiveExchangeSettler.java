package io.idem.http.internal.webflux;

import io.idem.WorkResult;
import io.idem.http.HeaderPolicy;
import io.idem.http.internal.admission.ExchangeSettler;
import io.idem.http.internal.admission.HandlerRun;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** Settles a granted request by its answer and then, always in this order, sends the answer that the outcome allows. */
record ReactiveExchangeSettler(HeaderPolicy headers, ExchangeSettler settler) {

    /** Returns the receiver of the answers of a granted request. */
    AnswerSink of(ReactiveExchange exchange) {
        return new AnswerSink() {
            @Override
            public Mono<Void> whole(byte[] body) {
                return once(exchange, () -> settle(exchange, body));
            }

            @Override
            public Mono<Void> sent() {
                return recordWithoutAnswer(exchange);
            }

            @Override
            public Mono<Void> broken(Throwable failure) {
                exchange.handler().failed();
                return exchange.handler().answerFailed() ? sent() : release(exchange);
            }

            @Override
            public void hookFailed() {
                exchange.handler().responded();
            }
        };
    }

    /** Records a request whose client has its answer, or whose answer could not be written, unless the request is settled already. */
    Mono<Void> recordWithoutAnswer(ReactiveExchange exchange) {
        return once(
                exchange,
                () -> settled(
                        exchange,
                        exchange.handler().result(exchange.getResponse().captureWithoutBody(headers))));
    }

    /** Releases the key, unless the request is settled already. */
    Mono<Void> release(ReactiveExchange exchange) {
        return once(exchange, () -> settled(exchange, exchange.handler().release("")));
    }

    /** Settles a request at its end, unless it is settled already; its key would stay in progress for as long as the lease is renewed. */
    Mono<Void> ended(ReactiveExchange exchange) {
        return Mono.defer(() -> exchange.getResponse().passing() ? recordWithoutAnswer(exchange) : release(exchange));
    }

    private static Mono<Void> once(ReactiveExchange exchange, Supplier<Mono<Void>> settling) {
        return Mono.defer(() -> exchange.handler().claimSettlement() ? settling.get() : Mono.empty());
    }

    private Mono<Void> settled(ReactiveExchange exchange, WorkResult<HandlerRun> result) {
        return Mono.fromCompletionStage(settler.settle(exchange.operation(), result))
                .then();
    }

    private Mono<Void> settle(ReactiveExchange exchange, byte[] body) {
        CapturedReactiveResponse response = exchange.getResponse();
        WorkResult<HandlerRun> result = exchange.handler().result(response.capture(body, headers));
        return Mono.fromCompletionStage(
                        settler.settle(exchange.operation(), result, response::passing, exchange.incoming()))
                .flatMap(instead -> instead.map(answer -> ReactiveAnswerWriter.write(answer, response.getDelegate()))
                        .orElseGet(() -> response.send(body)));
    }
}
