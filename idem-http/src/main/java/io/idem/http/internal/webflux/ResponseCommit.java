package io.idem.http.internal.webflux;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The moment from which a response does not change: what is to happen before it, and whether it has come. Thread-safe. */
final class ResponseCommit {

    private final List<Supplier<? extends Mono<Void>>> hooks = new CopyOnWriteArrayList<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean done;

    /** Adds what happens before. */
    void before(Supplier<? extends Mono<Void>> hook) {
        hooks.add(hook);
    }

    /** Whether an answer was decided upon. */
    boolean begun() {
        return begun.get();
    }

    /** Whether everything before has happened. */
    boolean done() {
        return done;
    }

    /**
     * Runs what is to happen before, then answers; does nothing the second time. If one of them fails, another answer can be given,
     * before which none of them happens again.
     */
    Mono<Void> run(Supplier<Mono<Void>> answer, Runnable failed) {
        return Mono.defer(() -> {
            if (!begun.compareAndSet(false, true)) {
                return Mono.empty();
            }
            return Flux.concat(Flux.fromIterable(hooks).map(Supplier::get))
                    .doOnError(failure -> reopen(failed))
                    .then(Mono.defer(() -> {
                        done = true;
                        return answer.get();
                    }));
        });
    }

    private void reopen(Runnable failed) {
        hooks.clear();
        failed.run();
        begun.set(false);
    }
}
