package io.idem.test.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.test.CrashPoint;
import io.idem.test.Delivered;
import io.idem.test.DeliveryEnd;
import io.idem.test.Rehearsal;
import io.idem.test.TestIdempotency;
import io.idem.test.http.MockMvcRequests;
import io.idem.test.kafka.KafkaDeliveries;
import io.idem.test.rabbit.RabbitDeliveries;
import io.idem.test.spring.IdempotencyTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** Steps in listeners of RabbitMQ and Kafka, and in handlers of HTTP requests. */
@SpringBootTest
@IdempotencyTest
@Tag("servers")
class StepsInListenersTest {

    private final TestIdempotency idempotency;
    private final RabbitDeliveries rabbit;
    private final KafkaDeliveries kafka;
    private final MockMvcRequests requests;
    private final Provider provider;

    @Autowired
    StepsInListenersTest(
            TestIdempotency idempotency,
            RabbitDeliveries rabbit,
            KafkaDeliveries kafka,
            MockMvcRequests requests,
            Provider provider) {
        this.idempotency = idempotency;
        this.rabbit = rabbit;
        this.kafka = kafka;
        this.requests = requests;
        this.provider = provider;
    }

    @BeforeEach
    void forget() {
        provider.forget();
    }

    private Rehearsal<Delivered> message(String where) {
        return where.equals("labels")
                ? kafka.record(where, "o-1", "3 apples")
                : rabbit.message(where, "o-1", "3 apples");
    }

    @ParameterizedTest
    @ValueSource(strings = {"parcels", "labels", "pickups"})
    void aFailureBehindAStepDoesNotRepeatIt(String where) {
        provider.failNext(2);
        assertThat(message(where).once().end()).isEqualTo(DeliveryEnd.REDELIVERED);
        assertThat(message(where).once().end()).isEqualTo(DeliveryEnd.REDELIVERED);

        assertThat(message(where).once().end()).isEqualTo(DeliveryEnd.ACKNOWLEDGED);

        assertThat(provider.keys()).hasSize(1);
        idempotency.assertThatKey("o-1").inScope(where).isCompleted().ranTimes(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"parcels", "labels"})
    void aCrashBehindAStepDoesNotRepeatIt(String where) {
        message(where).crashing(CrashPoint.BEFORE_COMPLETE);
        idempotency.endLeases();

        assertThat(message(where).once().end()).isEqualTo(DeliveryEnd.ACKNOWLEDGED);

        assertThat(provider.keys()).hasSize(1);
    }

    @Test
    void aStepThatMustNotRunTwiceMakesADeadLetter() {
        provider.failNext(1);
        assertThat(message("mails").once().end()).isEqualTo(DeliveryEnd.REDELIVERED);

        Delivered second = message("mails").once();

        assertThat(second.end()).isEqualTo(DeliveryEnd.DEAD_LETTERED);
        assertThat(provider.keys()).hasSize(1);
        idempotency.assertThatKey("o-1").inScope("mails").isRejected();
    }

    @Test
    void aStepWhoseOutcomeIsNotKnownYetDefersTheMessage() {
        provider.failNext(1);
        assertThat(message("lookups").once().end()).isEqualTo(DeliveryEnd.REDELIVERED);

        Delivered second = message("lookups").once();

        assertThat(second.end()).isEqualTo(DeliveryEnd.ACKNOWLEDGED);
        assertThat(provider.keys()).hasSize(1);
    }

    @Test
    void aRequestThatFailedBehindItsStepIsAnsweredWithItsResult() throws Exception {
        provider.failNext(1);
        assertThatThrownBy(() -> requests.post("/parcels", "o-1", "3 apples").once())
                .hasRootCauseMessage("the ledger is closed");

        assertThat(requests.post("/parcels", "o-1", "3 apples").once().getContentAsString())
                .isEqualTo("receipt 1");
        assertThat(provider.keys()).hasSize(1);
    }

    @Test
    void aRequestWhoseStepMustNotRunTwiceIsRejected() {
        provider.failNext(1);
        assertThatThrownBy(() -> requests.post("/mails", "o-1", "3 apples").once())
                .hasRootCauseMessage("the ledger is closed");

        assertThat(requests.post("/mails", "o-1", "3 apples").once().getStatus())
                .isEqualTo(409);
        idempotency.assertThatKey("o-1").inScope("http.shop").isRejected();
        assertThat(requests.post("/mails", "o-1", "3 apples").once().getStatus())
                .isEqualTo(409);
        assertThat(provider.keys()).hasSize(1);
    }

    @Test
    void aRequestWhoseStepIsNotDecidedYetIsAConflict() {
        provider.failNext(1);
        assertThatThrownBy(() -> requests.post("/lookups", "o-1", "3 apples").once())
                .hasRootCauseMessage("the ledger is closed");

        assertThat(requests.post("/lookups", "o-1", "3 apples").once().getStatus())
                .isEqualTo(409);
        idempotency.assertThatKey("o-1").inScope("http.shop").isInProgress();
    }
}
