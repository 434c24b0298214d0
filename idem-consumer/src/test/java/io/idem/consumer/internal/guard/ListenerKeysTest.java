package io.idem.consumer.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.IdempotencyKeys;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.KeySource;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where listeners find their keys: chosen fields, and CloudEvents in both modes. */
class ListenerKeysTest extends DecidingFixture {

    private final Listeners target = new Listeners();

    /** Counts. */
    static class Listeners {

        private int calls;

        @IdempotentListener(
                scope = "fields",
                keyFields = {"/customer/id", "amount=/amount", "kind=headers['kind']"})
        void byFields() {
            calls++;
        }

        @IdempotentListener(
                scope = "arguments",
                keyFields = {"customer=#order['customer']", "number=#order['number']"})
        void byArguments(Map<String, Object> order) {
            calls++;
        }

        @IdempotentListener(
                scope = "events",
                keySources = {KeySource.CLOUD_EVENTS, KeySource.HEADERS})
        void events() {
            calls++;
        }

        @IdempotentListener(scope = "both", key = "#order", keyFields = "/id")
        void twoWays(String order) {}

        @IdempotentListener(scope = "broken", keyFields = "order.id")
        void unnamed() {}

        @IdempotentListener(
                scope = "broken",
                keyFields = {"id=/id", "id=/order"})
        void twice() {}

        @IdempotentListener(scope = "broken", keyFields = "id=#order.")
        void broken() {}

        @IdempotentListener(scope = "broken", keyFields = "id=#order.id")
        void unknown() {}

        @IdempotentListener(scope = "misspelt", key = "#odrer['id'] + #root.headers['kind']")
        void misspelt(Map<String, Object> order) {}
    }

    private static FakeMessage json(String text) {
        return new FakeMessage().withBody(text.getBytes(StandardCharsets.UTF_8)).with("kind", "refund");
    }

    private static String key(Map<String, Object> fields) {
        return IdempotencyKeys.ofFields(fields);
    }

    @Test
    void chosenFieldsOfTheBodyAndTheHeadersAreTheKey() throws Exception {
        Listeners guarded = guarded(target);
        String key = key(Map.of("/customer/id", "c1", "amount", 10, "kind", "refund"));

        assertThat(deliver(json("{\"customer\":{\"id\":\"c1\"},\"amount\":10.0,\"note\":1}"), () -> {
                    guarded.byFields();
                    return null;
                }))
                .isEqualTo(new DeliveryDecision.Ran());
        assertThat(deliver(json("{ \"amount\" : 10, \"customer\" : {\"id\":\"c1\"}, \"note\":2 }"), () -> {
                    guarded.byFields();
                    return null;
                }))
                .isEqualTo(new DeliveryDecision.Duplicate());

        assertThat(target.calls).isEqualTo(1);
        assertThat(record(key, "fields").state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void textBodiesAreReadTooAndBigNumbersAreNotRounded() throws Exception {
        Listeners guarded = guarded(target);
        for (String amount : new String[] {"0.1", "0.10000000000000000001", "12345678901234567890"}) {
            FakeMessage message = new FakeMessage()
                    .withBody("{\"customer\":{\"id\":\"c1\"},\"amount\":" + amount + "}")
                    .with("kind", "refund");
            assertThat(deliver(message, () -> {
                        guarded.byFields();
                        return null;
                    }))
                    .isEqualTo(new DeliveryDecision.Ran());
        }
        assertThat(target.calls).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"customer\":{\"id\":\"c1\"}}",
                "{\"customer\":{\"id\":null},\"amount\":1}",
                "{\"customer\":{\"id\":{}},\"amount\":1}",
                "{\"customer\":",
                "{\"customer\":{\"id\":\"c1\"},\"amount\":1} trailing",
                "{\"customer\":{\"id\":\"c1\"},\"amount\":1E99999999999}",
                "{\"customer\":{\"id\":\"c1\"},\"amount\":100E2147483647}",
                "",
            })
    void aMessageWithoutOneOfTheFieldsIsPoison(String body) throws Exception {
        Listeners guarded = guarded(target);

        assertThat(deliver(json(body), () -> {
                    guarded.byFields();
                    return null;
                }))
                .isInstanceOfSatisfying(
                        DeliveryDecision.Failed.class,
                        failed -> assertThat(failed.rejection()).isPresent());

        assertThat(target.calls).isZero();
        assertThat(events).hasOnlyElementsOfType(ConsumerEvent.KeyInvalid.class).hasSize(1);
    }

    @Test
    void fieldsOfTheArgumentsAreTheKey() throws Exception {
        Listeners guarded = guarded(target);

        deliver(new FakeMessage(), () -> {
            guarded.byArguments(Map.of("customer", "c1", "number", 7L));
            return null;
        });

        assertThat(record(key(Map.of("customer", "c1", "number", 7)), "arguments")
                        .state())
                .isEqualTo(RecordState.COMPLETED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ce_", "ce-", "cloudEvents:", "cloudEvents_"})
    void anEventInBinaryModeIsItsSourceAndId(String prefix) throws Exception {
        deliverEvent(new FakeMessage().with(prefix + "source", "/shop").with(prefix + "id", "1"));

        assertThat(record("5:/shop1", "events").state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aBodyThatIsNotUtf8HasNoKey() throws Exception {
        Listeners guarded = guarded(target);
        for (String id : new String[] {"grün", "grän"}) {
            byte[] body = ("{\"customer\":{\"id\":\"" + id + "\"},\"amount\":1}").getBytes(StandardCharsets.ISO_8859_1);
            DeliveryDecision decision = deliver(new FakeMessage().withBody(body).with("kind", "refund"), () -> {
                guarded.byFields();
                return null;
            });
            assertThat(decision).isInstanceOf(DeliveryDecision.Failed.class);
        }
        assertThat(events).hasSize(2).hasOnlyElementsOfType(ConsumerEvent.KeyInvalid.class);
    }

    @Test
    void onlyTheFieldsOfTheKeyMustBeUndamaged() throws Exception {
        Listeners guarded = guarded(target);
        CurrentDelivery.HandOver call = () -> {
            guarded.byFields();
            return null;
        };
        String elsewhere = "{\"customer\":{\"id\":\"c1\"},\"amount\":1,\"note\":\"gr\uFFFDn\"}";
        String inTheKey = "{\"customer\":{\"id\":\"gr\uFFFDn\"},\"amount\":1}";

        assertThat(deliver(new FakeMessage().withBody(elsewhere).with("kind", "refund"), call))
                .isEqualTo(new DeliveryDecision.Ran());
        assertThat(deliver(new FakeMessage().withBody(inTheKey).with("kind", "refund"), call))
                .isInstanceOf(DeliveryDecision.Failed.class);
    }

    @Test
    void anEventInStructuredModeIsItsSourceAndId() throws Exception {
        deliverEvent(new FakeMessage()
                .ofType("application/cloudevents+json; charset=UTF-8")
                .withBody("{\"specversion\":\"1.0\",\"source\":\"/shop\",\"id\":\"1\",\"type\":\"paid\"}"));

        assertThat(record("5:/shop1", "events").state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aMessageThatIsNoEventMayCarryItsKeyElsewhere() throws Exception {
        deliverEvent(FakeMessage.withKey("k").ofType("application/json"));

        assertThat(record("k", "events").state()).isEqualTo(RecordState.COMPLETED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/cloudevents+json | {\"source\":\"/shop\"}",
                "application/cloudevents+json | no json",
                "application/cloudevents-batch+json | [{\"source\":\"/shop\",\"id\":\"1\"}]",
                "application/cloudevents+avro | x",
            })
    void anEventThatCannotBeToldFromOthersIsPoison(String type, String body) throws Exception {
        assertThat(deliverEvent(new FakeMessage().ofType(type).withBody(body)))
                .isInstanceOf(DeliveryDecision.Failed.class);
        assertThat(target.calls).isZero();
    }

    @Test
    void keysAndTenantsOfNothingButBlanksArePoison() throws Exception {
        assertThat(deliverEvent(FakeMessage.withKey("  "))).isInstanceOf(DeliveryDecision.Failed.class);
        assertThat(deliverEvent(FakeMessage.withKey("k1").with(IdempotencyHeaders.TENANT, " ")))
                .isInstanceOf(DeliveryDecision.Failed.class);
        assertThat(target.calls).isZero();
    }

    @Test
    void halfAnEventIsPoison() throws Exception {
        assertThat(deliverEvent(new FakeMessage().with("ce_id", "1"))).isInstanceOf(DeliveryDecision.Failed.class);
        assertThat(target.calls).isZero();
    }

    private DeliveryDecision deliverEvent(FakeMessage message) throws Exception {
        Listeners guarded = guarded(target);
        return deliver(message, () -> {
            guarded.events();
            return null;
        });
    }

    @Test
    void waysToTheKeyThatCannotWorkAreNamedAtStartUp() {
        assertThatThrownBy(() -> definition(Listeners.class, "twoWays", String.class))
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContaining("Keep one of key, keyFields and keySources");
        for (String method : new String[] {"unnamed", "twice", "broken", "unknown"}) {
            assertThatThrownBy(() -> definition(Listeners.class, method))
                    .isInstanceOf(ListenerConfigurationException.class)
                    .hasMessageContaining("invalid keyFields");
        }
        assertThatThrownBy(() -> definition(Listeners.class, "misspelt", Map.class))
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContaining(
                        "misspelt has an invalid key: #odrer is no parameter of misspelt; there are #order");
    }
}
