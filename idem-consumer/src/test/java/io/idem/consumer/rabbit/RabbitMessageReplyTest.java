package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.AsyncScript;
import io.idem.consumer.contract.ListenerScript;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.MessageHeaders;
import org.springframework.util.MimeTypeUtils;
import reactor.core.publisher.Mono;

/** Replies that are whole messages: a duplicate gets the same one, with its headers. */
@Tag("extended")
class RabbitMessageReplyTest extends RabbitScenario {

    private static final Date ISSUED = Date.from(Instant.ofEpochSecond(1_795_256_130L));

    @ParameterizedTest
    @ValueSource(
            classes = {
                OfText.class,
                OfBytes.class,
                OfAnything.class,
                OfReceipts.class,
                OfTextAsync.class,
                Amqp.class,
                AmqpAsync.class
            })
    void aDuplicateRequestGetsTheSameMessageUnderItsOwnCorrelation(Class<?> listener) {
        launch(listener);

        app().template().send(app().name(), PAYMENTS, request("first"));
        Message first = app().awaitMessage("settled");
        app().template().send(app().name(), PAYMENTS, request("second"));
        Message second = app().awaitMessage("settled");

        assertThat(script().calls()).hasSize(1);
        assertThat(second.getBody()).isEqualTo(first.getBody()).isNotEmpty();
        assertThat(headers(second)).isEqualTo(headers(first)).containsEntry("receipt", "r-1");
        assertSameProperties(second.getMessageProperties(), first.getMessageProperties());
        assertThat(first.getMessageProperties().getCorrelationId()).isEqualTo("first");
        assertThat(second.getMessageProperties().getCorrelationId()).isEqualTo("second");
    }

    private Message request(String correlation) {
        return MessageBuilder.withBody("one".getBytes(StandardCharsets.UTF_8))
                .setContentType("text/plain")
                .setHeader(IdempotencyHeaders.KEY, "k1")
                .setReplyTo(app().name() + ".settled")
                .setCorrelationId(correlation)
                .build();
    }

    /** Without those of the message object itself, which Spring makes anew for every object. */
    private static Map<String, Object> headers(Message reply) {
        Map<String, Object> headers = new HashMap<>(reply.getMessageProperties().getHeaders());
        headers.keySet().removeAll(List.of(MessageHeaders.ID, MessageHeaders.TIMESTAMP));
        return headers;
    }

    private static void assertSameProperties(MessageProperties second, MessageProperties first) {
        assertThat(second.getContentType()).isEqualTo(first.getContentType());
        assertThat(second.getContentEncoding()).isEqualTo(first.getContentEncoding());
        assertThat(second.getType()).isEqualTo(first.getType()).isEqualTo("receipt");
        assertThat(second.getMessageId()).isEqualTo(first.getMessageId());
        assertThat(second.getPriority()).isEqualTo(first.getPriority());
        assertThat(second.getTimestamp()).isEqualTo(first.getTimestamp());
        assertThat(second.getReceivedDeliveryMode()).isEqualTo(first.getReceivedDeliveryMode());
    }

    private static <T> org.springframework.messaging.Message<T> message(T payload) {
        return org.springframework.messaging.support.MessageBuilder.withPayload(payload)
                .setHeader("receipt", "r-1")
                .setHeader("version", 7)
                .setHeader("issued", ISSUED)
                .setHeader("lines", List.of("a", "b"))
                .setHeader("who", Map.of("name", "x", "paid", true))
                .setHeader(AmqpHeaders.TYPE, "receipt")
                .setHeader(AmqpHeaders.MESSAGE_ID, "m-1")
                .setHeader(AmqpHeaders.CORRELATION_ID, "its own")
                .build();
    }

    private static Message amqp(String result) {
        return MessageBuilder.withBody(result.getBytes(StandardCharsets.UTF_8))
                .setContentType(MimeTypeUtils.APPLICATION_XML_VALUE)
                .setContentEncoding("identity")
                .setHeader("receipt", "r-1")
                .setHeader("version", 7L)
                .setHeader("issued", ISSUED)
                .setType("receipt")
                .setMessageId("m-1")
                .setPriority(3)
                .setTimestamp(ISSUED)
                .setDeliveryMode(MessageDeliveryMode.NON_PERSISTENT)
                .build();
    }

    /** Replies of text. */
    static class OfText {

        private final ListenerScript script;

        OfText(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        org.springframework.messaging.Message<String> pay(String body, IdempotencyContext context) throws Exception {
            return message(script.run(PAYMENTS, body, context));
        }
    }

    /** Replies of bytes. */
    static class OfBytes {

        private final ListenerScript script;

        OfBytes(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        org.springframework.messaging.Message<byte[]> pay(String body, IdempotencyContext context) throws Exception {
            return message(script.run(PAYMENTS, body, context).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Does not say of what its replies are. */
    static class OfAnything {

        private final ListenerScript script;

        OfAnything(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        org.springframework.messaging.Message<?> pay(String body, IdempotencyContext context) throws Exception {
            return message(script.run(PAYMENTS, body, context).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** What an application answers with. */
    record Receipt(String result, BigDecimal amount) {}

    /** Replies of an application's type, which a converter turns into JSON. */
    static class OfReceipts {

        private final ListenerScript script;

        OfReceipts(ListenerScript script) {
            this.script = script;
        }

        @Bean
        static MessageConverter json() {
            return new JacksonJsonMessageConverter();
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        org.springframework.messaging.Message<Receipt> pay(Message request, IdempotencyContext context)
                throws Exception {
            return message(new Receipt(script.run(PAYMENTS, "one", context), new BigDecimal("10.00")));
        }
    }

    /** Ends after its return. */
    static class OfTextAsync {

        private final AsyncScript script;

        OfTextAsync(AsyncScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        CompletableFuture<org.springframework.messaging.Message<String>> pay(String body, IdempotencyContext context) {
            return script.run(PAYMENTS, body, context).thenApply(RabbitMessageReplyTest::message);
        }
    }

    /** Replies as they are sent. */
    static class Amqp {

        private final ListenerScript script;

        Amqp(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        Message pay(String body, IdempotencyContext context) throws Exception {
            return amqp(script.run(PAYMENTS, body, context));
        }
    }

    /** The same, ending after its return. */
    static class AmqpAsync {

        private final AsyncScript script;

        AmqpAsync(AsyncScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        Mono<Message> pay(String body, IdempotencyContext context) {
            return Mono.fromFuture(() -> script.run(PAYMENTS, body, context)).map(RabbitMessageReplyTest::amqp);
        }
    }
}
