package io.idem.consumer.internal.rabbit.defer;

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
 * What a message is while it waits in a delay queue, and how it becomes again what it was. On its way the broker writes another
 * exchange and routing key on it, counts the delay as one more death, and would act on some headers a second time; so those are
 * put aside in one header and put back before anybody sees the message again.
 */
public final class DelayedMessage {

    /** Where the message keeps what is put aside. */
    public static final String HEADER = "x-idempotency-delayed";

    private static final String EXCHANGE = "exchange";
    private static final String ROUTING_KEY = "routing-key";
    private static final String EXPIRATION = "expiration";
    private static final String DELAY_QUEUE = "delay-queue";
    private static final String HEADERS = "headers";
    private static final String DEATHS = "x-death";

    /** What the broker writes when a queue gives a message up. */
    public static final Set<String> HISTORY = Set.of(
            DEATHS,
            "x-first-death-exchange",
            "x-first-death-queue",
            "x-first-death-reason",
            "x-last-death-exchange",
            "x-last-death-queue",
            "x-last-death-reason");

    /** By which a publisher asks for further copies. */
    public static final Set<String> COPIES = Set.of("CC", "BCC");

    private DelayedMessage() {}

    /** A copy for the delay queue. */
    static Message of(Message message, DelayQueue queue) {
        Message copy = MessageBuilder.fromClonedMessage(message).build();
        MessageProperties to = copy.getMessageProperties();
        Map<String, Object> aside = new LinkedHashMap<>();
        putIfPresent(aside, EXCHANGE, to.getReceivedExchange());
        putIfPresent(aside, ROUTING_KEY, to.getReceivedRoutingKey());
        putIfPresent(aside, EXPIRATION, to.getExpiration());
        aside.put(DELAY_QUEUE, queue.name());
        aside.put(HEADERS, takeAside(to));
        to.setHeader(HEADER, aside);
        to.setExpiration(null);
        return copy;
    }

    private static void putIfPresent(Map<String, Object> map, String name, @Nullable Object value) {
        if (value != null) {
            map.put(name, value);
        }
    }

    /** The count of returns is the queue's, and starts anew with a new message. */
    private static Map<String, Object> takeAside(MessageProperties from) {
        from.getHeaders().remove("x-delivery-count");
        Map<String, Object> headers = new HashMap<>(from.getHeaders());
        headers.keySet().removeIf(name -> !HISTORY.contains(name) && !COPIES.contains(name));
        from.getHeaders().keySet().removeAll(headers.keySet());
        return headers;
    }

    /** Makes a message that comes from a delay queue what it was; leaves every other one alone. */
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

    /** What else happened to the message since, another queue's dead letter and its redrive, stays. */
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
