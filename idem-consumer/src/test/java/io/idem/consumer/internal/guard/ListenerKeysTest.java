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
    void chosen_fields_of_the_body_and_the_headers_are_the_key() throws Exception {
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
    void text_bodies_are_read_too_and_big_numbers_are_not_rounded() throws Exception {
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
    void a_message_without_one_of_the_fields_is_poison(String body) throws Exception {
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
    void fields_of_the_arguments_are_the_key() throws Exception {
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
    void an_event_in_binary_mode_is_its_source_and_id(String prefix) throws Exception {
        deliverEvent(new FakeMessage().with(prefix + "source", "/shop").with(prefix + "id", "1"));

        assertThat(record("5:/shop1", "events").state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void a_body_that_is_not_utf_8_has_no_key() throws Exception {
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
    void only_the_fields_of_the_key_must_be_undamaged() throws Exception {
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
    void an_event_in_structured_mode_is_its_source_and_id() throws Exception {
        deliverEvent(new FakeMessage()
                .ofType("application/cloudevents+json; charset=UTF-8")
                .withBody("{\"specversion\":\"1.0\",\"source\":\"/shop\",\"id\":\"1\",\"type\":\"paid\"}"));

        assertThat(record("5:/shop1", "events").state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void a_message_that_is_no_event_may_carry_its_key_elsewhere() throws Exception {
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
    void an_event_that_cannot_be_told_from_others_is_poison(String type, String body) throws Exception {
        assertThat(deliverEvent(new FakeMessage().ofType(type).withBody(body)))
                .isInstanceOf(DeliveryDecision.Failed.class);
        assertThat(target.calls).isZero();
    }

    @Test
    void keys_and_tenants_of_nothing_but_blanks_are_poison() throws Exception {
        assertThat(deliverEvent(FakeMessage.withKey("  "))).isInstanceOf(DeliveryDecision.Failed.class);
        assertThat(deliverEvent(FakeMessage.withKey("k1").with(IdempotencyHeaders.TENANT, " ")))
                .isInstanceOf(DeliveryDecision.Failed.class);
        assertThat(target.calls).isZero();
    }

    @Test
    void half_an_event_is_poison() throws Exception {
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
    void ways_to_the_key_that_cannot_work_are_named_at_start_up() {
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
