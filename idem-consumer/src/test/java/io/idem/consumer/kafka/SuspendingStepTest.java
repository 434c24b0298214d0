package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.RecordState;
import io.idem.consumer.suspending.Shop;
import io.idem.consumer.suspending.SuspendingShipment;
import io.idem.step.StepContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Steps in Kotlin functions that suspend. */
@Tag("servers")
class SuspendingStepTest {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);

    @Test
    void aCoroutineThatFailsGoesOnBehindItsStep() {
        try (KafkaTestApplication application = KafkaTestApplication.with(SuspendingShipment.class, ShopOfTests.class)
                .start()) {
            application.send("k1", "one");

            // The container acknowledges the failed record, and may commit its offset, before it tries it again.
            await().atMost(TIME_LIMIT).until(() -> isCompleted(application));
            ShopOfTests shop = application.bean(ShopOfTests.class);
            assertThat(shop.calls).extracting(StepContext::id).containsExactly("charge");
            assertThat(shop.settled).containsExactly("receipt 1", "receipt 1");
            await().atMost(TIME_LIMIT).until(() -> application.committed() == 1);
        }
    }

    private static boolean isCompleted(KafkaTestApplication application) {
        return application
                .store()
                .look("k1", SCOPE)
                .filter(record -> record.state() == RecordState.COMPLETED)
                .isPresent();
    }

    /** Fails once behind the step. */
    static class ShopOfTests implements Shop {

        private final List<StepContext> calls = new CopyOnWriteArrayList<>();
        private final List<String> settled = new CopyOnWriteArrayList<>();

        @Override
        public String charge(StepContext step) {
            calls.add(step);
            return "receipt " + calls.size();
        }

        @Override
        public void settle(String receipt) {
            settled.add(receipt);
            if (settled.size() == 1) {
                throw new IllegalStateException("the ledger is closed");
            }
        }
    }
}
