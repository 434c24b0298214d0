package io.idem.servers.qpid;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Translates RabbitMQ's queue and exchange arguments to Qpid's. Pure functions.
 *
 * <p>Qpid closes the connection (542) when a declaration carries an argument it does not know. Further differences:
 *
 * <ul>
 *   <li>The dead-letter exchange, or queue, must be declared before the queue that names it.
 *   <li>Qpid keeps the routing key of a dead-lettered message and adds no {@code x-death}. A
 *       {@code x-dead-letter-routing-key} works only together with the default exchange ({@code ""}), where it names the
 *       queue; use that, or a fanout dead-letter exchange.
 *   <li>Queue type, delivery limit and idle expiry of the queue itself have no counterpart and are left out.
 *   <li>A full queue refuses a message by a negative confirm only when it was published as mandatory; others are
 *       confirmed and dropped.
 * </ul>
 */
public final class QpidDeclarations {

    private static final String DEAD_LETTER_EXCHANGE = "x-dead-letter-exchange";
    private static final String DEAD_LETTER_KEY = "x-dead-letter-routing-key";
    private static final String TIME_TO_LIVE = "x-message-ttl";
    private static final String OVERFLOW = "x-overflow";
    private static final String MAXIMUM_PRIORITY = "x-max-priority";

    /** Names of arguments with plain values that Qpid has under another name. */
    private static final Map<String, String> RENAMED =
            Map.of("x-max-length", "maximumQueueDepthMessages", "x-max-length-bytes", "maximumQueueDepthBytes");

    private static final Set<String> WITHOUT_COUNTERPART = Set.of(
            "x-queue-type",
            "x-queue-mode",
            "x-queue-version",
            "x-queue-leader-locator",
            "x-queue-master-locator",
            "x-quorum-initial-group-size",
            "x-delivery-limit",
            "x-dead-letter-strategy",
            "x-expires");

    private QpidDeclarations() {}

    /**
     * Returns the arguments for {@code queue.declare}. Arguments that Qpid shares with RabbitMQ, or that are Qpid's
     * own, pass unchanged.
     *
     * @throws IllegalArgumentException for arguments that Qpid does not support and that must not be ignored silently:
     *     streams, and a dead-letter routing key for a named exchange
     */
    public static Map<String, Object> queueArguments(Map<String, ?> rabbitArguments) {
        if ("stream".equals(rabbitArguments.get("x-queue-type"))) {
            throw new IllegalArgumentException("x-queue-type: Qpid has no streams, use a RabbitMQ");
        }
        Map<String, Object> result = new LinkedHashMap<>();
        // Without this limit Qpid redelivers a rejected message immediately and endlessly.
        result.put("maximumDeliveryAttempts", 1);
        rabbitArguments.forEach((name, value) -> translate(name, value, rabbitArguments, result));
        return result;
    }

    private static void translate(String name, Object value, Map<String, ?> all, Map<String, Object> result) {
        switch (name) {
            case DEAD_LETTER_EXCHANGE -> result.put("alternateBinding", alternate(value, all));
            case DEAD_LETTER_KEY -> requireExchange(all);
            case TIME_TO_LIVE -> {
                result.put("maximumMessageTtl", value);
                result.put("expiryPolicy", all.containsKey(DEAD_LETTER_EXCHANGE) ? "ROUTE_TO_ALTERNATE" : "DELETE");
            }
            case OVERFLOW -> result.put("overflowPolicy", overflowPolicy(value));
            case MAXIMUM_PRIORITY -> result.put("x-qpid-priorities", ((Number) value).intValue() + 1);
            default -> copy(name, value, result);
        }
    }

    private static void copy(String name, Object value, Map<String, Object> result) {
        if (RENAMED.containsKey(name)) {
            result.put(RENAMED.get(name), value);
            // RabbitMQ drops the oldest message by default.
            result.putIfAbsent("overflowPolicy", "RING");
        } else if (!WITHOUT_COUNTERPART.contains(name)) {
            result.put(name, value);
        }
    }

    private static Map<String, Object> alternate(Object exchange, Map<String, ?> all) {
        if (!all.containsKey(DEAD_LETTER_KEY)) {
            return Map.of("destination", exchange);
        }
        if (!"".equals(exchange)) {
            throw new IllegalArgumentException(DEAD_LETTER_KEY + " with " + DEAD_LETTER_EXCHANGE + " '" + exchange
                    + "': Qpid keeps the routing key; name the queue through the default exchange, or use a fanout");
        }
        return Map.of("destination", Objects.requireNonNull(all.get(DEAD_LETTER_KEY), DEAD_LETTER_KEY));
    }

    private static void requireExchange(Map<String, ?> all) {
        if (!all.containsKey(DEAD_LETTER_EXCHANGE)) {
            throw new IllegalArgumentException(DEAD_LETTER_KEY + " needs " + DEAD_LETTER_EXCHANGE);
        }
    }

    private static String overflowPolicy(Object value) {
        return switch (String.valueOf(value)) {
            case "drop-head" -> "RING";
            case "reject-publish", "reject-publish-dlx" -> "REJECT";
            default ->
                throw new IllegalArgumentException(OVERFLOW + " is '" + value + "': use drop-head or reject-publish");
        };
    }

    /** Returns the arguments for {@code exchange.declare}. */
    public static Map<String, Object> exchangeArguments(Map<String, ?> rabbitArguments) {
        Map<String, Object> result = new LinkedHashMap<>();
        rabbitArguments.forEach(
                (name, value) -> result.put("alternate-exchange".equals(name) ? "alternateExchange" : name, value));
        return result;
    }
}
