package io.idem.consumer.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.RecordState;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An application that stops waits until what its listeners do is recorded. */
class DeliveriesInProgressTest extends DecidingFixture {

    private final Listeners target = new Listeners();
    private final Listeners guarded = guarded(target);
    private final List<RecordState> whenStopped = new CopyOnWriteArrayList<>();

    static class Listeners {

        private final CompletableFuture<Void> called = new CompletableFuture<>();
        private final CompletableFuture<Void> mayEnd = new CompletableFuture<>();

        @IdempotentListener(scope = "slow")
        void slow() {
            called.complete(null);
            mayEnd.join();
        }
    }

    @BeforeEach
    void startApplication() {
        inProgress.start();
    }

    private void stopApplication() {
        inProgress.stop(() -> whenStopped.add(record("k1", "slow").state()));
    }

    private DeliveryDecision deliverNow(FakeMessage message) throws Exception {
        CurrentDelivery.HandOver call = () -> {
            guarded.slow();
            return null;
        };
        return deliver(message, call);
    }

    private CompletableFuture<DeliveryDecision> deliverElsewhere(FakeMessage message) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return deliverNow(message);
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
    }

    @Test
    void workThatOutlastsItsContainerIsRecordedBeforeTheApplicationStops() throws Exception {
        CompletableFuture<DeliveryDecision> delivery = deliverElsewhere(FakeMessage.withKey("k1"));
        target.called.get(1, TimeUnit.MINUTES);

        stopApplication();
        assertThat(whenStopped).isEmpty();
        target.mayEnd.complete(null);

        assertThat(delivery.get(1, TimeUnit.MINUTES)).isEqualTo(new DeliveryDecision.Ran());
        assertThat(whenStopped).containsExactly(RecordState.COMPLETED);
    }

    @Test
    void anApplicationWithoutWorkStopsAtOnce() throws Exception {
        target.mayEnd.complete(null);
        deliverNow(FakeMessage.withKey("k1"));

        stopApplication();

        assertThat(whenStopped).containsExactly(RecordState.COMPLETED);
    }

    @Test
    void aMessageThatComesAfterwardsIsHandedBackUntilTheApplicationStartsAgain() throws Exception {
        target.mayEnd.complete(null);
        deliverNow(FakeMessage.withKey("k1"));
        stopApplication();

        assertThat(deliverNow(FakeMessage.withKey("k2").whileStopping())).isInstanceOf(DeliveryDecision.Defer.class);
        assertThat(deliverNow(FakeMessage.withKey("k3"))).isEqualTo(new DeliveryDecision.Ran());

        inProgress.start();
        assertThat(deliverNow(FakeMessage.withKey("k2").whileStopping())).isEqualTo(new DeliveryDecision.Ran());
    }
}
