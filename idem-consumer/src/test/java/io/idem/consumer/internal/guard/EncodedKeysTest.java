package io.idem.consumer.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.idem.DerivedKeys;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.LoggedLines;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import io.idem.consumer.internal.delivery.Received;
import io.idem.consumer.internal.kafka.message.KafkaDelivery;
import io.idem.consumer.internal.kafka.publish.PropagatedRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.support.JsonKafkaHeaderMapper;
import org.springframework.messaging.MessageHeaders;
import org.springframework.util.MimeType;

/** Keys that a header mapper of Spring has encoded are the keys that their senders meant. */
class EncodedKeysTest extends DecidingFixture {

    static class Payments {

        final List<String> keys = new ArrayList<>();
        final List<String> published = new ArrayList<>();
        Runnable meanwhile = () -> {};

        @IdempotentListener(scope = "payments")
        void pay(@Nullable IdempotencyContext context) {
            keys.add(Objects.requireNonNull(context).key().value());
            published.add(context.publications().nextKey("receipts").value());
            meanwhile.run();
        }

        @IdempotentListener(scope = "payments", key = "headers['order-id']")
        void payByExpression(@Nullable IdempotencyContext context) {
            pay(context);
        }
    }

    private final Payments target = new Payments();
    private final Payments payments = guarded(target);
    private long offset;

    private ConsumerRecord<String, String> record() {
        return new ConsumerRecord<>("payments", 0, offset++, "k", "body");
    }

    private static DeliveryDecision deliver(ConsumerRecord<?, ?> record, CurrentDelivery.HandOver call)
            throws Exception {
        Delivery delivery = new Delivery(new KafkaDelivery(record, () -> false));
        try {
            CurrentDelivery.callWith(delivery, call);
        } catch (Exception | Error failure) {
            if (delivery.decision().isEmpty()) {
                throw failure;
            }
        } catch (Throwable failure) {
            throw new IllegalStateException(failure);
        }
        return delivery.decision().orElseThrow();
    }

    private DeliveryDecision pay(ConsumerRecord<?, ?> record) throws Exception {
        return deliver(record, () -> {
            payments.pay(null);
            return null;
        });
    }

    private ConsumerRecord<String, String> plain(String key) {
        ConsumerRecord<String, String> record = record();
        record.headers().add(IdempotencyHeaders.KEY, key.getBytes(StandardCharsets.UTF_8));
        return record;
    }

    /** Writes headers as a mapper of Spring does that encodes texts, too. */
    private ConsumerRecord<String, String> mapped(Map<String, Object> headers) {
        JsonKafkaHeaderMapper mapper = new JsonKafkaHeaderMapper();
        mapper.setEncodeStrings(true);
        ConsumerRecord<String, String> record = record();
        mapper.fromHeaders(new MessageHeaders(headers), record.headers());
        return record;
    }

    private ConsumerRecord<String, String> encoded(String key) {
        return mapped(Map.of(IdempotencyHeaders.KEY, key));
    }

    static Stream<Object> keys() {
        return Stream.of(
                "order-1",
                "o\"rd\\er/1",
                "Bestellung ü 1",
                UUID.fromString("6a1f1c0e-8a39-4a58-9a53-8a6b0f9d2a11"),
                42L,
                MimeType.valueOf("order/one"));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void anEncodedKeyAndAPlainOneAreOneKey(Object key) throws Exception {
        assertThat(pay(mapped(Map.of(IdempotencyHeaders.KEY, key)))).isInstanceOf(DeliveryDecision.Ran.class);
        assertThat(pay(plain(key.toString()))).isInstanceOf(DeliveryDecision.Duplicate.class);

        assertThat(target.keys).containsExactly(key.toString());
    }

    @Test
    void aPlainKeyIsKnownWhenItComesEncoded() throws Exception {
        pay(plain("order-1"));

        assertThat(pay(encoded("order-1"))).isInstanceOf(DeliveryDecision.Duplicate.class);
        assertThat(target.keys).containsExactly("order-1");
    }

    /** The mapper's default leaves texts as they are, and encodes all other types. */
    @Test
    void aMapperThatLeavesTextsAloneChangesNothing() throws Exception {
        ConsumerRecord<String, String> record = record();
        new JsonKafkaHeaderMapper()
                .fromHeaders(new MessageHeaders(Map.of(IdempotencyHeaders.KEY, "order-1")), record.headers());

        pay(record);

        assertThat(target.keys).containsExactly("order-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"message-id", "ce_id"})
    void otherHeadersAreDecodedToo(String name) {
        DeliveredMessage message = new KafkaDelivery(mapped(Map.of(name, "event-1")), () -> false);

        assertThat(message.header(name)).containsExactly("event-1".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anExpressionReadsDecodedHeaders() throws Exception {
        deliver(mapped(Map.of("order-id", "order-1")), () -> {
            payments.payByExpression(null);
            return null;
        });

        assertThat(target.keys).containsExactly("order-1");
        assertThat(record("\"order-1\"", "payments").state()).isEqualTo(RecordState.COMPLETED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"order-1\"", "\"\"order\"\""})
    void aKeyInQuotesOfWhichNoMapperSpeaksStaysAsItIsWithOneWarning(String key) throws Exception {
        try (LoggedLines lines = new LoggedLines()) {
            pay(plain(key));
            pay(plain("\"another\""));

            assertThat(target.keys).containsExactly(key, "\"another\"");
            assertThat(lines.ofIdem(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains(IdempotencyKey.of(key).id(), "scope \"payments\"", "Send keys as plain UTF-8 text");
        }
    }

    @Test
    void aValueThatOnlyLooksEncodedStaysAsItIs() throws Exception {
        ConsumerRecord<String, String> record = mapped(Map.of("another", "header"));
        record.headers().add(IdempotencyHeaders.KEY, "\"order-1\"".getBytes(StandardCharsets.UTF_8));
        ConsumerRecord<String, String> broken = encoded("k");
        broken.headers().remove(IdempotencyHeaders.KEY);
        broken.headers().add(IdempotencyHeaders.KEY, "\"a\"b\"".getBytes(StandardCharsets.UTF_8));

        ConsumerRecord<String, String> withoutTypes = plain("\"order-2\"");
        withoutTypes.headers().add("spring_json_header_types", null);

        pay(record);
        pay(broken);
        pay(withoutTypes);

        assertThat(target.keys).containsExactly("\"order-1\"", "\"a\"b\"", "\"order-2\"");
    }

    @Test
    void workThatAnEarlierVersionFinishedUnderTheEncodedKeyIsNotRunAgain() throws Exception {
        Lease lease = acquireAsOtherOwner(memory, "\"order-1\"", "payments", POLICY.lease());
        memory.complete(lease, StoredResult.NONE);

        assertThat(pay(encoded("order-1"))).isInstanceOf(DeliveryDecision.Duplicate.class);
        assertThat(pay(plain("order-1"))).isInstanceOf(DeliveryDecision.Duplicate.class);
        assertThat(target.keys).isEmpty();
    }

    @Test
    void workThatAnEarlierVersionIsDoingUnderTheEncodedKeyIsWaitedFor() throws Exception {
        acquireAsOtherOwner(memory, "\"order-1\"", "payments", POLICY.lease());

        assertThat(pay(encoded("order-1"))).isInstanceOf(DeliveryDecision.Defer.class);
        assertThat(target.keys).isEmpty();
    }

    @Test
    void anEarlierVersionSeesWhatThisOneIsDoingAndWhatItHasDone() throws Exception {
        target.meanwhile =
                () -> assertThat(record("\"order-1\"", "payments").state()).isEqualTo(RecordState.PENDING);

        assertThat(pay(encoded("order-1"))).isInstanceOf(DeliveryDecision.Ran.class);

        assertThat(record("\"order-1\"", "payments").state()).isEqualTo(RecordState.COMPLETED);
        assertThat(record("order-1", "payments").state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void whatItPublishesHasOneKeyHoweverItsOwnKeyIsSent() throws Exception {
        pay(encoded("order-1"));

        assertThat(target.published)
                .containsExactly(DerivedKeys.derive("order-1", new Scope("payments"), "receipts", "#1"));
    }

    @Test
    void whatAnEarlierVersionBeganToPublishKeepsItsKey() throws Exception {
        memory.fail(acquireAsOtherOwner(memory, "\"order-1\"", "payments", POLICY.lease()), Duration.ZERO);

        pay(encoded("order-1"));

        assertThat(target.published)
                .containsExactly(DerivedKeys.derive("\"order-1\"", new Scope("payments"), "receipts", "#1"));
    }

    @Test
    void aCopyWithoutAContextIsThatOfTheWorkUnderWay() throws Exception {
        ConsumerRecord<String, String> record = encoded("order-1");
        ProducerRecord<String, String> copy = new ProducerRecord<>("parked", null, "k", "body", record.headers());
        List<String> found = new ArrayList<>();
        target.meanwhile = () -> Received.working(() -> PropagatedRecord.outgoing(copy))
                .ifPresent(context -> found.add(context.key().value()));

        pay(record);

        assertThat(found).containsExactly("order-1");
    }

    /** Returns the headers of a copy that the work publishes elsewhere. */
    private List<Header> copied(ConsumerRecord<String, String> record, CurrentDelivery.HandOver call) throws Exception {
        List<Header> copied = new ArrayList<>();
        target.meanwhile = () -> PropagatedRecord.of(
                        new ProducerRecord<>("parked", null, "k", "body", record.headers()),
                        IdempotencyContext.current().orElseThrow())
                .headers()
                .forEach(copied::add);
        deliver(record, call);
        target.meanwhile = () -> {};
        return copied;
    }

    @Test
    void whatTakesThePlaceOfAnEncodedKeyIsNotCalledEncoded() throws Exception {
        Map<String, Object> headers = Map.of(IdempotencyHeaders.KEY, UUID.randomUUID(), "customer", UUID.randomUUID());

        List<Header> copied = copied(mapped(headers), () -> {
            payments.pay(null);
            return null;
        });

        Map<String, Object> read = new HashMap<>();
        try (LoggedLines lines = new LoggedLines()) {
            new JsonKafkaHeaderMapper().toHeaders(new RecordHeaders(copied), read);
            assertThat(lines.loud()).isEmpty();
        }
        assertThat(read).containsKey(IdempotencyHeaders.KEY).containsEntry("customer", headers.get("customer"));
        assertThat(read.get(IdempotencyHeaders.KEY)).isNotEqualTo(headers.get(IdempotencyHeaders.KEY));
    }

    @Test
    void aCopyElsewhereUnderAnEncodedHeaderThatAnExpressionReadsIsANewOperation() throws Exception {
        CurrentDelivery.HandOver call = () -> {
            payments.payByExpression(null);
            return null;
        };
        ConsumerRecord<String, String> back = record();
        copied(mapped(Map.of("order-id", "order-1")), call).forEach(back.headers()::add);

        assertThat(deliver(back, call)).isInstanceOf(DeliveryDecision.Ran.class);
        assertThat(deliver(mapped(Map.of("order-id", "order-1")), call)).isInstanceOf(DeliveryDecision.Duplicate.class);
        assertThat(target.keys).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void keysOfRepliesAreThoseOfEarlierVersions() throws Exception {
        List<String> replies = new ArrayList<>();

        deliver(encoded("order-1"), () -> {
            payments.pay(null);
            PropagatedHeaders.nextReply()
                    .ifPresent(headers -> replies.add(headers.key().value()));
            return null;
        });

        assertThat(replies).containsExactly(DerivedKeys.derive("\"order-1\"", new Scope("payments"), "", "reply#1"));
    }

    @Test
    void aMessageThatFailsIsFreeUnderBothKeys() throws Exception {
        Payments failing = guarded(new Payments() {
            @Override
            @IdempotentListener(scope = "payments")
            void pay(@Nullable IdempotencyContext context) {
                throw new IllegalStateException("card refused");
            }
        });

        deliver(encoded("order-1"), () -> {
            failing.pay(null);
            return null;
        });

        assertThat(record("order-1", "payments").state()).isEqualTo(RecordState.FAILED);
        assertThat(record("\"order-1\"", "payments").state()).isEqualTo(RecordState.FAILED);
        assertThat(pay(encoded("order-1"))).isInstanceOf(DeliveryDecision.Ran.class);
    }
}
