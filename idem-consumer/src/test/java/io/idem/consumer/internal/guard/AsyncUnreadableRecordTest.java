package io.idem.consumer.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Lease;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.delivery.AsyncSettlement;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.spi.PerRequestStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records that became unreadable while asynchronous work was running. */
class AsyncUnreadableRecordTest extends DecidingFixture {

    static class Target {

        final CompletableFuture<@Nullable Void> work = new CompletableFuture<>();

        @IdempotentListener(scope = "later")
        CompletableFuture<@Nullable Void> later() {
            return work;
        }
    }

    private static final class Failures implements AsyncSettlement {

        @Override
        public CompletionStage<@Nullable Object> defer(
                DeliveryDecision.Defer decision, Supplier<CompletionStage<@Nullable Object>> again) {
            return failed(new AssertionError(decision));
        }

        @Override
        public CompletionStage<@Nullable Object> deadLetter(
                DeliveryDecision.DeadLetter decision, @Nullable Throwable failure) {
            return failed(new AssertionError(decision));
        }

        @Override
        public CompletionStage<@Nullable Object> failed(Throwable failure) {
            return CompletableFuture.failedStage(failure);
        }
    }

    @Test
    void anUnreadableRecordDoesNotMakeFinishedWorkAFailure() throws Throwable {
        Target target = new Target();
        Target proxy = guarded(target, listeners(executor(new PerRequestStore(memory) {

            @Override
            public StoreAnswer complete(Lease lease, StoredResult result) {
                throw new UnreadableRecordException(lease.record(), "a list");
            }
        })));
        Delivery delivery = new Delivery(FakeMessage.withKey("k1"));
        delivery.settleAsyncBy(new Failures());
        AtomicReference<@Nullable CompletableFuture<@Nullable Void>> end = new AtomicReference<>();

        CurrentDelivery.callWith(delivery, () -> {
            end.set(proxy.later());
            return null;
        });
        target.work.complete(null);

        assertThat(Objects.requireNonNull(end.get())).succeedsWithin(Duration.ofSeconds(30));
        assertThat(delivery.decision()).contains(new DeliveryDecision.Handed());
        assertThat(record("k1", "later").attempts()).isEqualTo(1);
    }
}
