package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.internal.micrometer.MeteredStore;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.spi.StoreDecorator;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Number of methods and lambdas of idem that are on the stack when a request reaches its store, from {@code execute} to the
 * method of the store, both included. Those of the JDK do not count.
 */
class CallDepthTest {

    private static final int MOST_OF_ACQUIRE = 7;
    private static final int MOST_OF_COMPLETE = 13;

    private final TracingStore store = new TracingStore();

    @Test
    void anAcquireReachesTheStoreWithinSevenFrames() throws Exception {
        executeOnce();

        assertThat(store.acquireFrames).hasSizeLessThanOrEqualTo(MOST_OF_ACQUIRE);
    }

    @Test
    void aCompleteReachesTheStoreWithinThirteenFrames() throws Exception {
        executeOnce();

        assertThat(store.updateFrames).hasSizeLessThanOrEqualTo(MOST_OF_COMPLETE);
    }

    private void executeOnce() throws Exception {
        Operation operation = Operation.of(
                IdempotencyKey.of("k-1"),
                new Scope("payments"),
                ExecutionPolicy.of(Duration.ofMinutes(10), Duration.ofHours(24)));
        try (RetryingIdempotencyStore retrying =
                        new RetryingIdempotencyStore(store, RetrySettings.within(RetrySettings.DEFAULT_BUDGET));
                IdempotentExecutor executor = IdempotentExecutor.on(
                                new MeteredStore(retrying, new SimpleMeterRegistry()))
                        .build()) {
            Outcome<String> outcome =
                    executor.execute(operation, context -> new WorkResult.Complete<>("done", StoredResult.NONE));
            assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        }
    }

    /** A store in memory that notes who calls it. Its own method stands for that of the store. */
    private static final class TracingStore extends StoreDecorator {

        private List<String> acquireFrames = List.of();
        private List<String> updateFrames = List.of();

        TracingStore() {
            super(new InMemoryIdempotencyStore());
        }

        @Override
        public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
            acquireFrames = frames();
            return super.acquire(requests);
        }

        @Override
        public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
            updateFrames = frames();
            return super.update(updates);
        }

        /** The frames of idem, the first call last. */
        private static List<String> frames() {
            List<String> frames = new ArrayList<>(List.of("the store's method"));
            for (StackTraceElement frame : new Throwable().getStackTrace()) {
                if (frame.getClassName().startsWith("io.idem.")
                        && !frame.getClassName().startsWith(CallDepthTest.class.getName())) {
                    frames.add(frame.toString());
                }
            }
            return frames;
        }
    }
}
