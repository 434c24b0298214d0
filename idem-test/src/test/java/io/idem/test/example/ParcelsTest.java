package io.idem.test.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.test.CrashPoint;
import io.idem.test.Delivered;
import io.idem.test.DeliveryEnd;
import io.idem.test.Rehearsal;
import io.idem.test.TestIdempotency;
import io.idem.test.rabbit.RabbitDeliveries;
import io.idem.test.spring.IdempotencyTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** Crashes around a step of a listener. */
@SpringBootTest
@IdempotencyTest
@Tag("servers")
class ParcelsTest {

    private final TestIdempotency idempotency;
    private final Carrier carrier;
    private final Rehearsal<Delivered> parcel;

    @Autowired
    ParcelsTest(TestIdempotency idempotency, RabbitDeliveries rabbit, Carrier carrier) {
        this.idempotency = idempotency;
        this.carrier = carrier;
        this.parcel = rabbit.message("parcels", "p-1", "3 apples");
        carrier.forget();
    }

    @Test
    void aCrashBehindAStepDoesNotRepeatTheStep() {
        parcel.crashing(CrashPoint.AFTER_REMEMBER);

        idempotency.endLeases();
        assertThat(parcel.once().end()).isEqualTo(DeliveryEnd.ACKNOWLEDGED);
        assertThat(carrier.orders()).hasSize(1);
        idempotency.assertThatKey("p-1").inScope("parcels").isCompleted().ranTimes(2);
    }

    @Test
    void aCrashBeforeAStepIsRememberedRepeatsItUnderTheSameKey() {
        parcel.crashing(CrashPoint.BEFORE_REMEMBER);

        idempotency.endLeases();
        assertThat(parcel.once().end()).isEqualTo(DeliveryEnd.ACKNOWLEDGED);
        assertThat(carrier.orders()).hasSize(2);
        assertThat(carrier.orders().get(1)).isEqualTo(carrier.orders().get(0));
    }
}
