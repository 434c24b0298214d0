package io.idem.consumer;

import static io.idem.internal.value.Arguments.require;

import io.idem.ExecutionPolicy;
import java.time.Duration;
import java.util.List;

/**
 * The settings that all listeners share; an annotation's own values win.
 *
 * @param policy lease, retention and attempts
 * @param missingKey what happens to a message without a key; default {@link MissingKeyPolicy#DEAD_LETTER}
 * @param keySources where the key is looked for, in this order; default {@link #DEFAULT_KEY_SOURCES}
 * @param trustTenant whether the tenant header is believed; default true: anyone who may publish to the queue is
 *     trusted
 * @param directCalls what happens to calls that are not deliveries; default {@link DirectCallPolicy#REFUSE}
 * @param inPlaceWait how long a delivery waits for another owner before it is handed back; default
 *     {@link #DEFAULT_IN_PLACE_WAIT}. Well below the broker's consumer timeout (RabbitMQ: 30 min) or
 *     {@code max.poll.interval.ms}
 * @param hold how long a delivery whose effect is durable but not recorded is kept unacknowledged while recording it is
 *     tried again; default {@link #DEFAULT_HOLD}
 */
public record ConsumerSettings(
        ExecutionPolicy policy,
        MissingKeyPolicy missingKey,
        List<KeySource> keySources,
        boolean trustTenant,
        DirectCallPolicy directCalls,
        Duration inPlaceWait,
        Duration hold) {

    /**
     * The two headers. Message ids only on request, since many producers make a new one when they send a message again.
     */
    public static final List<KeySource> DEFAULT_KEY_SOURCES = List.of(KeySource.HEADERS);

    /** 10 s: a third of the default lease, and far below the consumer timeout of every broker. */
    public static final Duration DEFAULT_IN_PLACE_WAIT = Duration.ofSeconds(10);

    /** 100 ms: a shorter wait would let a message spin between broker and listener. */
    public static final Duration SHORTEST_IN_PLACE_WAIT = Duration.ofMillis(100);

    /** 2 min: longer than most failovers of a store. */
    public static final Duration DEFAULT_HOLD = Duration.ofMinutes(2);

    /**
     * Validates the settings.
     *
     * @throws IllegalArgumentException names the value and what it must be
     */
    public ConsumerSettings {
        keySources = List.copyOf(keySources);
        require(
                !keySources.isEmpty(),
                "idem.consumer.key-sources is empty; name at least one of headers, message-id, cloud-events, position");
        require(
                inPlaceWait.compareTo(SHORTEST_IN_PLACE_WAIT) >= 0,
                "idem.consumer.in-place-wait " + inPlaceWait + " is shorter than " + SHORTEST_IN_PLACE_WAIT
                        + ": messages would spin between broker and listener");
        require(!hold.isNegative(), "hold " + hold + " is negative; use 0 to hand back at once");
    }

    /** Returns the defaults with the given policy. */
    public static ConsumerSettings of(ExecutionPolicy policy) {
        return new ConsumerSettings(
                policy,
                MissingKeyPolicy.DEAD_LETTER,
                DEFAULT_KEY_SOURCES,
                true,
                DirectCallPolicy.REFUSE,
                DEFAULT_IN_PLACE_WAIT,
                DEFAULT_HOLD);
    }

    /** Returns a copy with another hold. */
    public ConsumerSettings withHold(Duration other) {
        return new ConsumerSettings(policy, missingKey, keySources, trustTenant, directCalls, inPlaceWait, other);
    }
}
