package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Lease;
import io.idem.consumer.ConsumerEvent;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.micrometer.KafkaListenerObservation;
import org.springframework.util.backoff.FixedBackOff;

/** The container observes through the delivery hook: each delivery once, whatever becomes of it. */
@Tag("servers")
class ObservationTest {

    @Test
    void everyDeliveryIsObservedOnceAndItsObservationEndsOnce() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Listeners.Plain.class, Observed.class)
                .set("spring.kafka.listener.observation-enabled", true)
                .start()) {
            Observed observed = application.bean(Observed.class);
            AtomicInteger failures = new AtomicInteger(1);
            application.bean(Listeners.Plain.class).does(record -> {
                if (failures.getAndDecrement() > 0) {
                    throw new IllegalStateException("card refused");
                }
            });
            Lease otherOwner = application.store().occupy("k1", KafkaTestApplication.SCOPE, Duration.ofMinutes(5));
            application.send("k1", "one");
            await().until(() -> deferrals(application) >= 2);
            application.store().fail(otherOwner, Duration.ZERO);
            application.send("k1", "again");
            await().until(() -> application.committed() == 2);

            int deliveries = deferrals(application) + 3;
            await().until(() -> observed.ended().size() >= deliveries);
            assertThat(observed.begun()).hasSize(deliveries).doesNotHaveDuplicates();
            assertThat(observed.ended()).containsExactlyElementsOf(observed.begun());
        }
    }

    private static int deferrals(KafkaTestApplication application) {
        return application.journal().events(ConsumerEvent.Deferred.class).size();
    }

    /** A registry without a handler would observe nothing. */
    static class Observed implements ObservationHandler<Observation.Context> {

        private final List<Observation.Context> begun = new CopyOnWriteArrayList<>();
        private final List<Observation.Context> ended = new CopyOnWriteArrayList<>();

        List<Observation.Context> begun() {
            return begun;
        }

        List<Observation.Context> ended() {
            return ended;
        }

        @Override
        public void onStart(Observation.Context context) {
            begun.add(context);
        }

        @Override
        public void onStop(Observation.Context context) {
            ended.add(context);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return KafkaListenerObservation.DefaultKafkaListenerObservationConvention.INSTANCE.supportsContext(context);
        }

        @Bean
        static ObservationRegistry observations(Observed observed) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(observed);
            return registry;
        }

        @Bean
        static DefaultErrorHandler errorHandler() {
            return new DefaultErrorHandler(new FixedBackOff(0, 2));
        }
    }
}
