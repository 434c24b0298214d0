package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static io.idem.consumer.kafka.StoppedListeners.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.RecordState;
import io.idem.consumer.kafka.BatchListenersOfTests.Manual;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.kafka.support.Acknowledgment;

/** Batches behind one that its listener has not acknowledged, of which a record filter drops something. */
@Tag("extended")
class FilteredBatchAcknowledgementTest {

    private final List<Acknowledgment> open = new CopyOnWriteArrayList<>();

    static class Dropping {

        @Bean
        RecordFilterStrategy<Object, Object> dropping() {
            return new Unwanted();
        }
    }

    private static final class Unwanted implements RecordFilterStrategy<Object, Object> {

        @Override
        public boolean filter(ConsumerRecord<Object, Object> record) {
            return String.valueOf(record.value()).startsWith("unwanted");
        }

        @Override
        public boolean ignoreEmptyBatch() {
            return true;
        }
    }

    private KafkaTestApplication withOneOpen(String mode) {
        KafkaTestApplication application = KafkaTestApplication.with(Manual.class, Dropping.class)
                .set("spring.kafka.listener.ack-mode", mode)
                .set("test.filter", "dropping")
                .start();
        application.bean(Manual.class).does(open::add);
        application.send("k1", "one");
        container(application).start();
        await().until(() -> open.size() == 1);
        return application;
    }

    private static MessageListenerContainer container(KafkaTestApplication application) {
        return Objects.requireNonNull(
                application.bean(KafkaListenerEndpointRegistry.class).getListenerContainer("manual"));
    }

    /** As records of one poll. */
    private static void deliverTogether(KafkaTestApplication application, String... bodies) {
        container(application).pause();
        await().until(() -> container(application).isContainerPaused());
        for (String body : bodies) {
            application.send("k-" + body, body);
        }
        container(application).resume();
    }

    private static void assertNothingIsCommitted(KafkaTestApplication application) {
        await().during(Duration.ofSeconds(2)).until(() -> application.committed() == -1);
        assertThat(application.store().look("k1", SCOPE).orElseThrow().state()).isEqualTo(RecordState.PENDING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"manual", "manual_immediate"})
    void recordsDroppedByAFilterAreNotCommittedOverTheOpenBatchBeforeThem(String mode) {
        try (KafkaTestApplication application = withOneOpen(mode)) {
            deliverTogether(application, "unwanted", "three");

            assertNothingIsCommitted(application);
            open.get(0).acknowledge();
            await().until(() -> open.size() == 2);
            open.get(1).acknowledge();

            await().until(() -> application.committed() == 3);
            assertThat(application.journal().entries()).containsExactly("one", "three");
        }
    }

    @Test
    void aBatchOfWhichAFilterDropsEverythingIsNotCommittedOverTheOpenBatch() {
        try (KafkaTestApplication application = withOneOpen("manual")) {
            deliverTogether(application, "unwanted", "unwanted too");

            assertNothingIsCommitted(application);
            open.get(0).acknowledge();

            await().until(() -> application.committed() == 3);
            assertThat(application.journal().entries()).containsExactly("one");
        }
    }
}
