package io.idem.test.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.test.CrashPoint;
import io.idem.test.Delivered;
import io.idem.test.DeliveryEnd;
import io.idem.test.Rehearsal;
import io.idem.test.TestIdempotency;
import io.idem.test.rabbit.RabbitDeliveries;
import io.idem.test.spring.IdempotencyTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.Lifecycle;

/** RabbitMQ without RabbitMQ. All tests use one key: records are forgotten in between. */
@SpringBootTest
@IdempotencyTest
class PaymentsTest {

    private final TestIdempotency idempotency;
    private final RabbitDeliveries rabbit;
    private final Ledger ledger;
    private final Rehearsal<Delivered> payment;

    @Autowired
    PaymentsTest(TestIdempotency idempotency, RabbitDeliveries rabbit, Ledger ledger) {
        this.idempotency = idempotency;
        this.rabbit = rabbit;
        this.ledger = ledger;
        this.payment = rabbit.message("payments", "p-1", "12.50 EUR");
    }

    @Test
    void aDuplicateIsAcknowledgedWithoutRunning() {
        List<Delivered> both = rabbit.message("payments", "p-1", "12.50 EUR").twice();

        assertThat(both).extracting(Delivered::end).containsOnly(DeliveryEnd.ACKNOWLEDGED);
        idempotency.assertThatKey("p-1").inScope("payments").isCompleted().ranOnce();
    }

    @Test
    void ofMessagesAtTheSameMomentOneRuns() {
        rabbit.message("payments", "p-1", "12.50 EUR").concurrently(8);

        idempotency.assertThatKey("p-1").inScope("payments").isCompleted().ranOnce();
    }

    @Test
    void aCrashBeforeTheWorkLosesNothing() {
        payment.crashing(CrashPoint.BEFORE_WORK);
        idempotency.assertThatKey("p-1").inScope("payments").isInProgress().neverRan();

        idempotency.endLeases();
        assertThat(payment.once().end()).isEqualTo(DeliveryEnd.ACKNOWLEDGED);
        idempotency
                .assertThatKey("p-1")
                .inScope("payments")
                .isCompleted()
                .ranOnce()
                .hasAttempts(2);
    }

    @Test
    void aCrashAfterTheWorkRunsItAgain() {
        payment.crashing(CrashPoint.BEFORE_COMPLETE);
        assertThat(payment.once().end()).isEqualTo(DeliveryEnd.REDELIVERED); // the dead worker's lease goes on

        idempotency.endLeases();
        assertThat(payment.once().end()).isEqualTo(DeliveryEnd.ACKNOWLEDGED);
        idempotency.assertThatKey("p-1").inScope("payments").isCompleted().ranTimes(2);
    }

    @Test
    void aCrashAfterItsRecordDoesNotRunItAgain() {
        payment.crashing(CrashPoint.BEFORE_ACKNOWLEDGE);

        assertThat(payment.once().end()).isEqualTo(DeliveryEnd.ACKNOWLEDGED);
        idempotency.assertThatKey("p-1").inScope("payments").isCompleted().ranOnce();
    }

    @Test
    void aCrashThatNothingComesToFailsTheTest() {
        payment.once();

        assertThatThrownBy(() -> payment.crashing(CrashPoint.BEFORE_WORK))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("BEFORE_WORK");
    }

    @Test
    void aFailureGivesTheKeyBack() {
        ledger.close();
        Delivered failed = payment.once();
        ledger.open();

        assertThat(failed.end()).isEqualTo(DeliveryEnd.REDELIVERED);
        assertThat(failed.failure())
                .hasValueSatisfying(failure -> assertThat(failure).hasRootCauseMessage("closed"));
        idempotency.assertThatKey("p-1").inScope("payments").isReleased();
        payment.once();
        idempotency.assertThatKey("p-1").inScope("payments").isCompleted().ranTimes(2);
    }

    @Test
    void aRecordIsForgottenAfterItsRetention() {
        payment.once();

        idempotency.advance(Duration.ofDays(3650));

        idempotency.assertThatKey("p-1").inScope("payments").isAbsent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"refunds", "receipts"})
    void whoeverAcknowledgesIsSeen(String queue) {
        Rehearsal<Delivered> message = rabbit.message(queue, "p-1", "12.50 EUR");

        assertThat(message.twice()).extracting(Delivered::end).containsOnly(DeliveryEnd.ACKNOWLEDGED);
        idempotency.assertThatKey("p-1").inScope(queue).isCompleted().ranOnce();
    }

    @Test
    void noContainerRuns(@Autowired RabbitListenerEndpointRegistry registry) {
        assertThat(registry.getListenerContainers()).isNotEmpty().noneMatch(Lifecycle::isRunning);
    }

    @Test
    void keysOfOtherTenantsAreOthers() {
        payment.once();

        idempotency
                .assertThatKey("p-1")
                .ofTenant("north")
                .inScope("payments")
                .isAbsent()
                .neverRan();
    }

    @Test
    void whatIsNotSoFailsTheTest() {
        payment.once();

        assertThatThrownBy(() ->
                        idempotency.assertThatKey("p-1").inScope("payments").isRejected())
                .hasMessageContaining("p-1")
                .hasMessageContaining("to be REJECTED but it is COMPLETED");
        assertThatThrownBy(() ->
                        idempotency.assertThatKey("p-1").inScope("payments").ranTimes(2))
                .hasMessageContaining("2 times but it was 1 times");
    }

    @Test
    void aQueueThatNobodyListensToIsSaid() {
        assertThatThrownBy(() -> rabbit.message("payment", "p-1", "12.50 EUR").once())
                .hasMessageContaining("\"payment\"")
                .hasMessageContaining("payments");
    }
}
