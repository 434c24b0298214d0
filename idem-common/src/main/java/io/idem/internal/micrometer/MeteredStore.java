package io.idem.internal.micrometer;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Times every request to a store, including its repetitions. Thread-safe; blocks as its store does. */
public final class MeteredStore extends StoreDecorator {

    private static final List<String> OPERATIONS =
            List.of("acquire", "renew", "complete", "fail", "reject", "remember", "recall");
    private static final List<String> RESULTS = List.of("ok", "unavailable", "failed");

    private final MeterRegistry registry;
    private final MeterProvider<Timer> calls;

    /**
     * Creates a decorator that times the requests to a store. All timers are registered at once: a timer that first
     * appears with a failure would not show the rise.
     */
    public MeteredStore(IdempotencyStore store, MeterRegistry registry) {
        super(store);
        this.registry = registry;
        this.calls = Timer.builder("idem.store.calls")
                .description("Calls to the store, with all their repetitions")
                .withRegistry(registry);
        for (String operation : OPERATIONS) {
            for (String result : RESULTS) {
                var unused = timer(operation, result);
            }
        }
    }

    @Override
    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
        long begin = now();
        List<CompletionStage<Claim>> answers = delegate().acquire(requests);
        answers.forEach(answer -> time("acquire", begin, answer));
        return answers;
    }

    @Override
    public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
        long begin = now();
        List<CompletionStage<StoreAnswer>> answers = delegate().update(updates);
        for (int i = 0; i < answers.size(); i++) {
            time(updates.get(i).name(), begin, answers.get(i));
        }
        return answers;
    }

    private void time(String operation, long begin, CompletionStage<?> answer) {
        Stages.whenComplete(
                answer,
                (given, failure) -> timer(operation, result(failure)).record(now() - begin, TimeUnit.NANOSECONDS));
    }

    private long now() {
        return registry.config().clock().monotonicTime();
    }

    private Timer timer(String operation, String result) {
        return calls.withTags("operation", operation, "result", result);
    }

    private static String result(@Nullable Throwable failure) {
        if (failure == null) {
            return "ok";
        }
        return failure instanceof StoreUnavailableException ? "unavailable" : "failed";
    }
}
