package io.idem.http.internal.webflux;

import reactor.core.publisher.Mono;

/** Learns what a handler answers, at the moment at which it would be sent. */
interface AnswerSink {

    /** The answer is known as a whole and nothing of it was sent; sends it, or what takes its place. */
    Mono<Void> whole(byte[] body);

    /** The answer was sent piece by piece, and its end was reached, or its client went away. */
    Mono<Void> sent();

    /** The answer was sent piece by piece, and its handler failed on the way. */
    Mono<Void> broken();
}
