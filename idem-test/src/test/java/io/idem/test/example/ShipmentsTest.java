package io.idem.test.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.test.CrashPoint;
import io.idem.test.Delivered;
import io.idem.test.DeliveryEnd;
import io.idem.test.Rehearsal;
import io.idem.test.TestIdempotency;
import io.idem.test.kafka.KafkaDeliveries;
import io.idem.test.spring.IdempotencyTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.Lifecycle;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** Kafka without Kafka. */
@SpringBootTest
@IdempotencyTest
@Tag("servers")
class ShipmentsTest {

    private final TestIdempotency idempotency;
    private final KafkaDeliveries kafka;
    private final Ledger ledger;
    private final Rehearsal<Delivered> shipment;

    @Autowired
    ShipmentsTest(TestIdempotency idempotency, KafkaDeliveries kafka, Ledger ledger) {
        this.idempotency = idempotency;
        this.kafka = kafka;
        this.ledger = ledger;
        this.shipment = kafka.record("shipments", "s-1", "3 apples");
    }

    @Test
    void aDuplicateIsAcknowledgedWithoutRunning() {
        assertThat(shipment.twice()).extracting(Delivered::end).containsOnly(DeliveryEnd.ACKNOWLEDGED);

        idempotency.assertThatKey("s-1").inScope("shipments").isCompleted().ranOnce();
    }

    @Test
    void ofRecordsAtTheSameMomentOneRuns() {
        shipment.concurrently(8);

        idempotency.assertThatKey("s-1").inScope("shipments").isCompleted().ranOnce();
    }

    @Test
    void aCrashAfterTheWorkRunsItAgain() {
        Rehearsal<Delivered> shipment = kafka.record("shipments", "s-1", "3 apples");
        shipment.crashing(CrashPoint.BEFORE_COMPLETE);
        assertThat(shipment.once().end()).isEqualTo(DeliveryEnd.REDELIVERED);

        idempotency.endLeases();
        shipment.once();
        idempotency.assertThatKey("s-1").inScope("shipments").isCompleted().ranTimes(2);
    }

    @Test
    void aFailureComesAgain() {
        ledger.close();
        Delivered failed = shipment.once();
        ledger.open();

        assertThat(failed.end()).isEqualTo(DeliveryEnd.REDELIVERED);
        assertThat(failed.failure()).isPresent();
        idempotency.assertThatKey("s-1").inScope("shipments").isReleased().ranOnce();
    }

    @Test
    void noContainerRuns(@Autowired KafkaListenerEndpointRegistry registry) {
        assertThat(registry.getListenerContainers()).isNotEmpty().noneMatch(Lifecycle::isRunning);
    }

    @Test
    void aTopicThatNobodyListensToIsSaid() {
        assertThatThrownBy(() -> kafka.record("shipment", "s-1", "3 apples").once())
                .hasMessageContaining("0 listen to topic \"shipment\"");
        assertThatThrownBy(() -> kafka.toListener("nobody")
                        .record("shipments", "s-1", "3 apples")
                        .once())
                .hasMessageContaining("0 listen");
    }
}
