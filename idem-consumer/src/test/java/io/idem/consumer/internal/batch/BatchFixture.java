package io.idem.consumer.internal.batch;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.consumer.FingerprintSource;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.call.BatchListeners;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.delivery.BatchReport;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.guard.DecidingFixture;
import io.idem.consumer.internal.guard.FakeMessage;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.spi.IdempotencyStore;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Batch listener methods, and a stand-in for a delivery hook. */
abstract class BatchFixture extends DecidingFixture {

    static final BatchReport NOWHERE = failure -> -1;

    static final Duration HOLD = Duration.ofMinutes(1);

    final Target target = new Target();

    /** One consumer: a listener bean and the deciding half around it, with an engine of its own. */
    record Consumer(BatchListener listener, Target proxy) {

        ListenerBatch acquire(FakeMessage... messages) {
            return listener.acquire(List.of(messages), HOLD);
        }

        /** As a delivery hook does it: nothing is called if nothing is left to run. */
        List<DeliveryDecision> deliver(FakeMessage... messages) {
            try (ListenerBatch batch = acquire(messages)) {
                if (!batch.toRun().isEmpty()) {
                    run(batch, NOWHERE);
                }
                return decisions(batch, messages.length);
            }
        }

        Optional<Throwable> run(ListenerBatch batch, BatchReport failedAt) {
            return batch.run(
                    () -> {
                        proxy.plain(batch.toRun(), null, null);
                        return null;
                    },
                    failedAt);
        }
    }

    static List<DeliveryDecision> decisions(ListenerBatch batch, int size) {
        return IntStream.range(0, size).mapToObj(batch::decision).toList();
    }

    @Override
    public AsyncIdempotentExecutor async(IdempotentExecutor executor) {
        return executor.async(ForkJoinPool.commonPool());
    }

    Consumer consumer(IdempotencyStore store) throws Exception {
        return consumer(store, target);
    }

    Consumer consumer(IdempotencyStore store, Target listener) throws Exception {
        IdempotentListeners listeners = listeners(executor(store));
        BatchListeners batches = new BatchListeners(listeners);
        Method method = method("plain");
        return new Consumer(batches.of(listener, method), guarded(listener, listeners));
    }

    BatchListeners batches() {
        return new BatchListeners(listeners(executor(memory)));
    }

    Consumer consumer() throws Exception {
        return consumer(memory);
    }

    static Method method(String name) {
        return Arrays.stream(Target.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static FakeMessage message(String key) {
        return FakeMessage.withKey(key);
    }

    static FakeMessage[] messages(String... keys) {
        return Arrays.stream(keys).map(BatchFixture::message).toArray(FakeMessage[]::new);
    }

    /** Does what the test says. */
    static class Target {

        final List<String> ran = Collections.synchronizedList(new ArrayList<>());
        List<@Nullable IdempotencyContext> contexts = List.of();
        Callable<@Nullable Object> work = () -> null;

        @IdempotentListener(scope = "batch", rejectOn = UnsupportedOperationException.class, maxAttempts = "3")
        void plain(
                List<Integer> positions,
                @Nullable List<@Nullable IdempotencyContext> given,
                @Nullable List<@Nullable IdempotencyKey> keys)
                throws Exception {
            contexts = Objects.requireNonNull(given);
            Objects.requireNonNull(keys).forEach(key -> ran.add(key == null ? "no key" : key.value()));
            work.call();
        }

        @IdempotentListener(scope = "returning")
        String returning(List<String> bodies) {
            return "";
        }

        @IdempotentListener(scope = "single")
        void single(List<String> bodies, IdempotencyContext context) {}

        @IdempotentListener(scope = "arguments", key = "#bodies[0]")
        void arguments(List<String> bodies) {}

        @IdempotentListener(scope = "fields", keyFields = "id=args[0]")
        void fields(List<String> bodies) {}

        @IdempotentListener(scope = "judging", rejectIf = "#result == null")
        void judging(List<String> bodies) {}

        @IdempotentListener(scope = "backing-off", backoff = "1s", maxAttempts = "3")
        void backingOff(List<String> bodies) {}

        @IdempotentListener(scope = "interrupting", interruptOnLostLease = "true")
        void interrupting(List<String> bodies) {}

        @IdempotentListener(scope = "header", key = "headers['order'] + '/' + message")
        void byHeader(List<String> bodies) {}

        @IdempotentListener(scope = "prefix", key = "headers['order'].substring(0, 8)")
        void byPrefix(List<String> bodies) {}
    }

    /** Compares bodies. */
    static class ByBody extends Target {

        @Override
        @IdempotentListener(scope = "batch", fingerprint = FingerprintSource.BODY)
        void plain(
                List<Integer> positions,
                @Nullable List<@Nullable IdempotencyContext> given,
                @Nullable List<@Nullable IdempotencyKey> keys)
                throws Exception {
            super.plain(positions, given, keys);
        }
    }
}
