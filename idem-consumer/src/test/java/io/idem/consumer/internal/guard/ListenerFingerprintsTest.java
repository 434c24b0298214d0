package io.idem.consumer.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.FingerprintSource;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a listener takes for another payload under a used key. */
class ListenerFingerprintsTest extends DecidingFixture {

    private static final DeliveryDecision RAN = new DeliveryDecision.Ran();
    private static final DeliveryDecision DUPLICATE = new DeliveryDecision.Duplicate();

    private final Listeners target = new Listeners();
    private final Listeners guarded = guarded(target);

    /** Counts. */
    static class Listeners {

        private int calls;

        @IdempotentListener(scope = "header")
        void byHeader() {
            calls++;
        }

        @IdempotentListener(scope = "body", fingerprint = FingerprintSource.BODY)
        void byBody() {
            calls++;
        }

        @IdempotentListener(
                scope = "fields",
                fingerprintFields = {"/amount", "/payee/name", "/lines/0"})
        void byFields() {
            calls++;
        }

        @IdempotentListener(scope = "both", fingerprint = FingerprintSource.BODY, fingerprintFields = "/amount")
        void twoWays() {}

        @IdempotentListener(scope = "broken", fingerprintFields = "amount")
        void withoutSlash() {}

        @IdempotentListener(scope = "broken", fingerprintFields = "")
        void wholeBody() {}

        @IdempotentListener(
                scope = "broken",
                fingerprintFields = {"/amount", "/a~2b"})
        void brokenEscape() {}

        @IdempotentListener(scope = "broken", fingerprintFields = "amount=/amount")
        void named() {}
    }

    private static FakeMessage message(@Nullable Object body) {
        return FakeMessage.withKey("k").withBody(body);
    }

    private static FakeMessage bytes(String body) {
        return message(body.getBytes(StandardCharsets.UTF_8));
    }

    private DeliveryDecision byHeader(FakeMessage message) throws Exception {
        return handOver(message, guarded::byHeader);
    }

    private DeliveryDecision byBody(FakeMessage message) throws Exception {
        return handOver(message, guarded::byBody);
    }

    private DeliveryDecision byFields(FakeMessage message) throws Exception {
        return handOver(message, guarded::byFields);
    }

    private static DeliveryDecision handOver(FakeMessage message, Runnable listener) throws Exception {
        CurrentDelivery.HandOver call = () -> {
            listener.run();
            return null;
        };
        return deliver(message, call);
    }

    private static void assertOtherPayload(DeliveryDecision decision) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        DeliveryDecision.DeadLetter.class,
                        dead -> assertThat(dead.reason()).contains("another payload"));
    }

    private static void assertPoison(DeliveryDecision decision) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        DeliveryDecision.Failed.class,
                        failed -> assertThat(failed.rejection()).isPresent());
    }

    @Test
    void byDefaultAnotherPayloadWithoutAHeaderIsADuplicate() throws Exception {
        assertThat(byHeader(bytes("one"))).isEqualTo(RAN);

        assertThat(byHeader(bytes("two"))).isEqualTo(DUPLICATE);
    }

    @Test
    void anotherBodyUnderTheKeyIsADeadLetterWhereBodiesAreCompared() throws Exception {
        assertThat(byBody(bytes("one"))).isEqualTo(RAN);

        assertOtherPayload(byBody(bytes("two")));
        assertThat(byBody(bytes("one"))).isEqualTo(DUPLICATE);
        assertThat(target.calls).isEqualTo(1);
    }

    @Test
    void textIsComparedByItsBytes() throws Exception {
        assertThat(byBody(message("grün"))).isEqualTo(RAN);

        assertThat(byBody(bytes("grün"))).isEqualTo(DUPLICATE);
        assertOtherPayload(byBody(message("grau")));
    }

    @Test
    void aHeaderDoesNotCountWhereBodiesAreCompared() throws Exception {
        String one = "00000000000000000000000000000001";
        String two = "00000000000000000000000000000002";
        assertThat(byBody(bytes("one").with(IdempotencyHeaders.FINGERPRINT, one)))
                .isEqualTo(RAN);

        assertThat(byBody(bytes("one").with(IdempotencyHeaders.FINGERPRINT, two)))
                .isEqualTo(DUPLICATE);
        assertThat(byBody(bytes("one").with(IdempotencyHeaders.FINGERPRINT, "none")))
                .isEqualTo(DUPLICATE);
        assertOtherPayload(byBody(bytes("two").with(IdempotencyHeaders.FINGERPRINT, one)));
    }

    @Test
    void noBodyIsAnotherPayloadThanAnEmptyOne() throws Exception {
        assertThat(byBody(message(null))).isEqualTo(RAN);

        assertThat(byBody(message(null))).isEqualTo(DUPLICATE);
        assertOtherPayload(byBody(bytes("")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"amount\":10,\"payee\":{\"name\":\"Ann\"},\"sentAt\":1}",
                "{\"amount\":10.00,\"payee\":{\"name\":\"Ann\"},\"sentAt\":2}",
                "{ \"payee\" : {\"name\":\"\\u0041nn\", \"city\":\"Bonn\"}, \"lines\":[], \"amount\" : 1e1 }",
                "{\"amount\":10,\"payee\":{\"name\":\"Ann\"},\"lines\":[null,3]}"
            })
    void bodiesWhoseChosenFieldsHaveTheSameValuesAreOnePayload(String again) throws Exception {
        assertThat(byFields(bytes("{\"amount\":10,\"payee\":{\"name\":\"Ann\"}}")))
                .isEqualTo(RAN);

        assertThat(byFields(bytes(again))).isEqualTo(DUPLICATE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"amount\":11,\"payee\":{\"name\":\"Ann\"}}",
                "{\"amount\":\"10\",\"payee\":{\"name\":\"Ann\"}}",
                "{\"amount\":10,\"payee\":{\"name\":\"Bob\"}}",
                "{\"amount\":10,\"payee\":{\"name\":\"\"}}",
                "{\"amount\":10,\"payee\":\"Ann\"}",
                "{\"amount\":10,\"payee\":{\"name\":\"Ann\"},\"lines\":[1]}",
                "{}",
                ""
            })
    void aChosenFieldOfAnotherValueOrAbsentIsAnotherPayload(String other) throws Exception {
        assertThat(byFields(bytes("{\"amount\":10,\"payee\":{\"name\":\"Ann\"}}")))
                .isEqualTo(RAN);

        assertOtherPayload(byFields(bytes(other)));
        assertThat(target.calls).isEqualTo(1);
    }

    @Test
    void aMessageWithoutAnyOfTheFieldsOrWithoutABodyRuns() throws Exception {
        assertThat(byFields(message(null))).isEqualTo(RAN);

        assertThat(byFields(bytes("{\"note\":1}"))).isEqualTo(DUPLICATE);
        assertOtherPayload(byFields(bytes("{\"amount\":0}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"no json", "{\"amount\":{\"value\":10}}", "{\"amount\":1E99999999999}"})
    void aBodyWhoseFieldsCannotBeReadIsPoison(String body) throws Exception {
        assertPoison(byFields(bytes(body)));

        assertThat(target.calls).isZero();
        assertThat(events).hasOnlyElementsOfType(ConsumerEvent.KeyInvalid.class).hasSize(1);
    }

    @Test
    void aBodyThatADeserializerMadeAnObjectOfStopsTheListener() throws Exception {
        for (DeliveryDecision decision :
                new DeliveryDecision[] {byBody(message(UUID.randomUUID())), byFields(message(UUID.randomUUID()))}) {
            assertThat(decision)
                    .isInstanceOfSatisfying(
                            DeliveryDecision.Stop.class,
                            stop -> assertThat(stop.refusal())
                                    .hasMessageContaining(
                                            "compares payloads by their body, but gets it as java.util.UUID")
                                    .hasMessageContaining("ByteArrayDeserializer"));
        }
        assertThat(target.calls).isZero();
        assertThat(memory.inspect(new RecordId(IdempotencyKey.of("k"), new Scope("body"))))
                .isEmpty();
    }

    @Test
    void twoWaysToCompareAreRefusedAtStartUp() {
        assertThatThrownBy(() -> definition(Listeners.class, "twoWays"))
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContaining("Keep one of fingerprint = BODY and fingerprintFields");
    }

    @ParameterizedTest
    @CsvSource({
        "withoutSlash, \"amount\" is no JSON pointer",
        "wholeBody, \"\" is no JSON pointer",
        "brokenEscape, \"/a~2b\" is no JSON pointer",
        "named, \"amount=/amount\" is no JSON pointer"
    })
    void whatIsNoPointerIsRefusedAtStartUp(String method, String problem) {
        assertThatThrownBy(() -> definition(Listeners.class, method))
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContaining(method + " has an invalid fingerprintFields: " + problem);
    }
}
