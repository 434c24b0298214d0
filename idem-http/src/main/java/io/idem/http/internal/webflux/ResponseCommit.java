package io.idem.http.internal.webflux;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The commit of a response, after which it does not change, and the hooks that run before. Thread-safe. */
final class ResponseCommit {

    private final List<Supplier<? extends Mono<Void>>> hooks = new CopyOnWriteArrayList<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean done;

    /** Adds a hook that runs before the commit. */
    void before(Supplier<? extends Mono<Void>> hook) {
        hooks.add(hook);
    }

    /** Returns whether the commit has begun. */
    boolean begun() {
        return begun.get();
    }

    /** Returns whether all hooks have run. */
    boolean done() {
        return done;
    }

    /**
     * Runs the hooks, then answers; does nothing the second time. If a hook fails, another answer can be given, before which no hook runs
     * again.
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
