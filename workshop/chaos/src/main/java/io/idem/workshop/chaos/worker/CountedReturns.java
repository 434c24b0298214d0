package io.idem.workshop.chaos.worker;

import java.nio.file.Path;
import java.util.Map;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;

/**
 * Logs each delivery of a message whose returns RabbitMQ counts, with a line of milliseconds, key and count. Changes no
 * message. Thread-safe.
 */
final class CountedReturns implements MessagePostProcessor {

    private static final String COUNT = "x-delivery-count";
    private static final String KEY = "x-idempotency-key";

    private final LineFile lines;

    CountedReturns(Path path) {
        this.lines = new LineFile(path);
    }

    @Override
    public Message postProcessMessage(Message message) {
        Map<String, Object> headers = message.getMessageProperties().getHeaders();
        if (headers.get(COUNT) instanceof Number count && count.longValue() > 0) {
            lines.add(String.valueOf(headers.get(KEY)), count);
        }
        return message;
    }
}
