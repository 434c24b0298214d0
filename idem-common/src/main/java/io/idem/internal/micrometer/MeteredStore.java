package io.idem.internal.micrometer;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.ForwardingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Times the calls of the engine to a store, with all their repetitions. Thread-safe; blocks as its store does. */
public final class MeteredStore extends ForwardingIdempotencyStore {

    private static final List<String> OPERATIONS = List.of("acquire", "renew", "complete", "fail", "reject");
    private static final List<String> RESULTS = List.of("ok", "unavailable", "failed");

    private final MeterRegistry registry;
    private final MeterProvider<Timer> calls;

    /**
     * Times in a registry what is asked of a store. The timers are there at once: of one that appears with the first failure nobody
     * sees it rise.
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
    public Claim acquire(AcquireRequest request) {
        return timed("acquire", () -> delegate().acquire(request));
    }

    @Override
    public StoreAnswer renew(Lease lease) {
        return timed("renew", () -> delegate().renew(lease));
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        return timed("complete", () -> delegate().complete(lease, result));
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        return timed("fail", () -> delegate().fail(lease, delay));
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        return timed("reject", () -> delegate().reject(lease, reason));
    }

    @Override
    public AsyncIdempotencyStore async() {
        return new MeteredAsyncStore(delegate().async(), this);
    }

    private <V> V timed(String operation, Supplier<V> call) {
        long begin = begin();
        try {
            V answer = call.get();
            answered(operation, begin, null);
            return answer;
        } catch (RuntimeException failure) {
            answered(operation, begin, failure);
            throw failure;
        }
    }

    long begin() {
        return registry.config().clock().monotonicTime();
    }

    void answered(String operation, long begin, @Nullable Throwable failure) {
        Duration took = Duration.ofNanos(begin() - begin);
        timer(operation, result(failure)).record(took);
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
