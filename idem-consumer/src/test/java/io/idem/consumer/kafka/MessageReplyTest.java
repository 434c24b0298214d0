package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.IdempotentListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.support.MessageBuilder;

/** Replies that are whole messages: a duplicate gets the same one, with its headers. */
@Tag("extended")
class MessageReplyTest {

    @ParameterizedTest
    @ValueSource(classes = {Answering.class, AnsweringAsync.class})
    void aDuplicateGetsTheSameMessageUnderItsOwnCorrelation(Class<?> listener) {
        try (PublishedRecords replies = new PublishedRecords();
                KafkaTestApplication application = KafkaTestApplication.with(listener)
                        .set("test.replies", replies.topic())
                        .start()) {
            application.send(request(application, "first"), "k1");
            application.send(request(application, "second"), "k1");

            await().atMost(Duration.ofMinutes(3)).until(() -> replies.all().size() == 2);
            assertThat(application.journal().entries()).containsExactly("one");
            ConsumerRecord<String, String> first = replies.all().get(0);
            ConsumerRecord<String, String> second = replies.all().get(1);
            assertThat(second.value()).isEqualTo(first.value()).isEqualTo("done one");
            assertThat(second.key()).isEqualTo(first.key()).isEqualTo("account-7");
            assertThat(headers(second)).isEqualTo(headers(first)).containsEntry("receipt", "r-1");
            assertThat(replies.headers(KafkaHeaders.CORRELATION_ID)).containsExactly("first", "second");
        }
    }

    private static ProducerRecord<String, String> request(KafkaTestApplication application, String correlation) {
        ProducerRecord<String, String> request = new ProducerRecord<>(application.topic(), 0, null, "one");
        request.headers().add(KafkaHeaders.CORRELATION_ID, correlation.getBytes(StandardCharsets.UTF_8));
        return request;
    }

    private static Map<String, String> headers(ConsumerRecord<?, ?> reply) {
        Map<String, String> headers = new TreeMap<>();
        reply.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        headers.remove(KafkaHeaders.CORRELATION_ID);
        return headers;
    }

    private static Message<String> answer(String body, byte[] correlation) {
        return MessageBuilder.withPayload("done " + body)
                .setHeader("receipt", "r-1")
                .setHeader("version", 7L)
                .setHeader("signature", new byte[] {1, 2, 3})
                .setHeader(KafkaHeaders.KEY, "account-7")
                .setHeader(KafkaHeaders.CORRELATION_ID, correlation)
                .build();
    }

    /** Answers to a topic. */
    static class Answering {

        private final KafkaTestApplication.Journal journal;

        Answering(KafkaTestApplication.Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "answering", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        @SendTo("${test.replies}")
        Message<?> on(String body, @Header(KafkaHeaders.CORRELATION_ID) byte[] correlation) {
            journal.write(body);
            return answer(body, correlation);
        }
    }

    /** The same after its return. */
    static class AnsweringAsync {

        private final KafkaTestApplication.Journal journal;

        AnsweringAsync(KafkaTestApplication.Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "answering", idIsGroup = false, topics = "${test.topic}", properties = "max.poll.records=1")
        @IdempotentListener(scope = SCOPE)
        @SendTo("${test.replies}")
        CompletableFuture<Message<String>> on(String body, @Header(KafkaHeaders.CORRELATION_ID) byte[] correlation) {
            journal.write(body);
            return CompletableFuture.supplyAsync(() -> answer(body, correlation));
        }
    }
}
