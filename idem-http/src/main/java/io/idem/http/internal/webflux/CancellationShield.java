package io.idem.http.internal.webflux;

import io.idem.RecordId;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Shields work from cancellation by the server when the client goes away. From the moment at which the store is asked for a key, the key
 * must be settled, and an effect that has begun should be finished and recorded.
 */
final class CancellationShield {

    private static final Logger LOG = LoggerFactory.getLogger(CancellationShield.class);

    private final Sinks.Empty<Void> clientGone = Sinks.empty();
    private final AtomicBoolean gone = new AtomicBoolean();

    private final RecordId record;

    private CancellationShield(RecordId record) {
        this.record = record;
    }

    /** Runs work in the context of its subscriber; {@code work} receives a signal that ends when the client has gone. */
    static Mono<Void> by(RecordId record, Function<Mono<Void>, Mono<Void>> work) {
        return Mono.defer(() -> new CancellationShield(record).run(work));
    }

    private Mono<Void> run(Function<Mono<Void>, Mono<Void>> work) {
        return Mono.deferContextual(context -> Mono.fromFuture(
                        () -> work.apply(clientGone.asMono())
                                .onErrorResume(failure -> gone.get(), this::logged)
                                .contextWrite(inner -> inner.putAll(context))
                                .toFuture(),
                        true))
                .doOnCancel(this::clientLeft);
    }

    private void clientLeft() {
        gone.set(true);
        clientGone.tryEmitEmpty();
    }

    private Mono<Void> logged(Throwable failure) {
        LOG.debug("{}, whose client had gone, failed", record, failure);
        return Mono.empty();
    }
}
