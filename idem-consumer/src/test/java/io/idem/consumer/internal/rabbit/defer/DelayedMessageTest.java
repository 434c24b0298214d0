package io.idem.consumer.internal.rabbit.defer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/** What a delay leaves of a message's own history. */
class DelayedMessageTest {

    private static final DelayQueue QUEUE = new DelayQueue("payments", Duration.ofSeconds(1));

    private static Message received(Map<String, Object> headers) {
        MessageProperties properties = new MessageProperties();
        properties.getHeaders().putAll(headers);
        properties.setReceivedExchange("orders");
        properties.setReceivedRoutingKey("payment.requested");
        properties.setExpiration("60000");
        return new Message("body".getBytes(StandardCharsets.UTF_8), properties);
    }

    private static Map<String, Object> death(String queue) {
        return Map.of("queue", queue, "reason", "expired", "count", 1L);
    }

    /** As the broker hands it over after the delay. */
    private static Message afterDelay(Message delayed, List<?> deaths) {
        MessageProperties properties = delayed.getMessageProperties();
        properties.setReceivedExchange("");
        properties.setReceivedRoutingKey("payments");
        properties.setHeader("x-death", deaths);
        properties.setHeader("x-first-death-queue", QUEUE.name());
        DelayedMessage.restore(delayed);
        return delayed;
    }

    @Test
    void aMessageComesOutOfADelayAsItWentIn() {
        Map<String, Object> headers = Map.of(
                "own",
                "mine",
                "x-death",
                List.of(death("retries")),
                "x-first-death-queue",
                "retries",
                "CC",
                List.of("audit"));
        Message message = received(headers);

        Message back = afterDelay(DelayedMessage.of(message, QUEUE), List.of(death(QUEUE.name())));

        MessageProperties properties = back.getMessageProperties();
        assertThat(properties.getHeaders()).isEqualTo(headers);
        assertThat(properties.getReceivedExchange()).isEqualTo("orders");
        assertThat(properties.getReceivedRoutingKey()).isEqualTo("payment.requested");
        assertThat(message.getMessageProperties().getHeaders()).isEqualTo(headers);
    }

    /** A copy that the application makes of a message must not be gone at once, because its time was used up by a delay. */
    @ParameterizedTest
    @CsvSource({"60000, 59000", "1001, 1", "1000,", "800,", "soon,"})
    void ofItsTimeToLiveWhatTheDelayLeavesComesBack(String before, @Nullable String after) {
        Message message = received(Map.of());
        message.getMessageProperties().setExpiration(before);

        Message back = afterDelay(DelayedMessage.of(message, QUEUE), List.of(death(QUEUE.name())));

        assertThat(back.getMessageProperties().getExpiration()).isEqualTo(after);
    }

    @Test
    void aMessageOnItsWayAsksForNoCopiesAndDoesNotExpireEarly() {
        MessageProperties delayed = DelayedMessage.of(received(Map.of("CC", List.of("audit"))), QUEUE)
                .getMessageProperties();

        assertThat(delayed.getHeaders()).containsOnlyKeys(DelayedMessage.HEADER);
        assertThat(delayed.getExpiration()).isNull();
    }

    @Test
    void whatHappenedToItAfterTheDelayStays() {
        Message delayed = DelayedMessage.of(received(Map.of()), QUEUE);

        Message redriven = afterDelay(delayed, List.of(death("payments"), death(QUEUE.name())));

        assertThat(redriven.getMessageProperties().<Object>getHeader("x-death")).isEqualTo(List.of(death("payments")));
    }
}
