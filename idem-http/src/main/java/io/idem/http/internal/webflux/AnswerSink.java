package io.idem.http.internal.webflux;

import reactor.core.publisher.Mono;

/** Receives the answer of a handler at the moment at which it would be sent. */
interface AnswerSink {

    /** Sends an answer that is known as a whole, or the answer in its place. Nothing was sent before. */
    Mono<Void> whole(byte[] body);

    /** Settles after an answer that was sent piece by piece, up to its end or until its client went away. */
    Mono<Void> sent();

    /** Settles after an answer that was sent piece by piece until its handler, or the writing of its answer, failed. */
    Mono<Void> broken(Throwable failure);

    /** Notes that an answer was made and a hook before its commit failed. */
    void hookFailed();
}
