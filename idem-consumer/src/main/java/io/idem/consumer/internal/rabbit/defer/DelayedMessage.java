package io.idem.consumer.internal.rabbit.defer;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageProperties;

/**
 * Converts a message for its wait in a delay queue, and back. On its way the broker writes another exchange and routing
 * key on it, counts the delay as one more death, and would act on some headers a second time; so those are put aside in
 * one header and put back before any other code sees the message again.
 */
public final class DelayedMessage {

    /** Header for the values that are put aside. */
    public static final String HEADER = "x-idempotency-delayed";

    private static final String EXCHANGE = "exchange";
    private static final String ROUTING_KEY = "routing-key";
    private static final String EXPIRATION = "expiration";
    private static final String DELAY_QUEUE = "delay-queue";
    private static final String HEADERS = "headers";
    private static final String DEATHS = "x-death";

    /** Headers that the broker writes when a queue gives a message up. */
    public static final Set<String> HISTORY = Set.of(
            DEATHS,
            "x-first-death-exchange",
            "x-first-death-queue",
            "x-first-death-reason",
            "x-last-death-exchange",
            "x-last-death-queue",
            "x-last-death-reason");

    /** Headers by which a publisher asks for further copies. */
    public static final Set<String> COPIES = Set.of("CC", "BCC");

    private DelayedMessage() {}

    /** Returns a copy for the delay queue. */
    static Message of(Message message, DelayQueue queue) {
        Message copy = MessageBuilder.fromClonedMessage(message).build();
        MessageProperties to = copy.getMessageProperties();
        Map<String, Object> aside = new LinkedHashMap<>();
        putIfPresent(aside, EXCHANGE, to.getReceivedExchange());
        putIfPresent(aside, ROUTING_KEY, to.getReceivedRoutingKey());
        putIfPresent(aside, EXPIRATION, left(to.getExpiration(), queue.delay()));
        aside.put(DELAY_QUEUE, queue.name());
        aside.put(HEADERS, takeAside(to));
        to.setHeader(HEADER, aside);
        to.setExpiration(null);
        return copy;
    }

    /** Returns what is left of a time to live after a delay; null if nothing is, so that what becomes of the message is not lost at once. */
    private static @Nullable String left(@Nullable String expiration, Duration delay) {
        boolean isTime = expiration != null && expiration.matches("\\d{1,18}");
        long left = isTime ? Long.parseLong(expiration) - delay.toMillis() : 0;
        return left > 0 ? Long.toString(left) : null;
    }

    private static void putIfPresent(Map<String, Object> map, String name, @Nullable Object value) {
        if (value != null) {
            map.put(name, value);
        }
    }

    /** Puts the headers aside, but not the count of returns: it is the queue's, and starts anew with a new message. */
    private static Map<String, Object> takeAside(MessageProperties from) {
        from.getHeaders().remove("x-delivery-count");
        Map<String, Object> headers = new HashMap<>(from.getHeaders());
        headers.keySet().removeIf(name -> !HISTORY.contains(name) && !COPIES.contains(name));
        from.getHeaders().keySet().removeAll(headers.keySet());
        return headers;
    }

    /** Restores a message that comes from a delay queue; does nothing to every other one. */
    public static void restore(Message message) {
        MessageProperties to = message.getMessageProperties();
        if (to.getHeaders().remove(HEADER) instanceof Map<?, ?> aside) {
            to.setReceivedExchange(text(aside, EXCHANGE));
            to.setReceivedRoutingKey(text(aside, ROUTING_KEY));
            to.setExpiration(text(aside, EXPIRATION));
            forgetDelay(to.getHeaders(), text(aside, DELAY_QUEUE));
            if (aside.get(HEADERS) instanceof Map<?, ?> headers) {
                headers.forEach((name, value) -> to.getHeaders().putIfAbsent(name.toString(), value));
            }
        }
    }

    private static @Nullable String text(Map<?, ?> from, String name) {
        Object value = from.get(name);
        return value == null ? null : value.toString();
    }

    /**
     * Removes the traces of the delay. Those of other deaths since, such as another queue's dead letter and its
     * redrive, stay.
     */
    private static void forgetDelay(Map<String, Object> headers, @Nullable String delayQueue) {
        List<?> others = headers.get(DEATHS) instanceof List<?> deaths
                ? deaths.stream().filter(death -> !isOf(delayQueue, death)).toList()
                : List.of();
        if (others.isEmpty()) {
            headers.keySet().removeAll(HISTORY);
        } else {
            headers.put(DEATHS, others);
        }
    }

    private static boolean isOf(@Nullable String queue, Object death) {
        return death instanceof Map<?, ?> entry
                && String.valueOf(entry.get("queue")).equals(queue);
    }
}
