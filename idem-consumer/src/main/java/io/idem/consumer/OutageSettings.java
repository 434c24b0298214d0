package io.idem.consumer;

import static io.idem.internal.value.Arguments.require;

import java.time.Duration;

/**
 * Settings for the time while the store is silent.
 *
 * @param firstPause between the silence and the first question whether the store is back; each later pause is twice as
 *     long, and every one is varied at random by half; default {@link #DEFAULT_FIRST_PAUSE}
 * @param longestPause upper limit of these pauses; default {@link #DEFAULT_LONGEST_PAUSE}
 * @param longestHold how long one RabbitMQ delivery is kept unacknowledged before it is handed back to the broker after
 *     all; default {@link #DEFAULT_LONGEST_HOLD}. Zero hands back after {@code idem.consumer.in-place-wait}, as for any
 *     other deferral
 */
public record OutageSettings(Duration firstPause, Duration longestPause, Duration longestHold) {

    /** 500 ms: a restarted store is back soon. */
    public static final Duration DEFAULT_FIRST_PAUSE = Duration.ofMillis(500);

    /** 2 s: a scope asks a silent store every other second, and listeners go on within seconds after the outage. */
    public static final Duration DEFAULT_LONGEST_PAUSE = Duration.ofSeconds(2);

    /** 15 min: half of RabbitMQ's default consumer timeout, at which it takes all unacknowledged messages back. */
    public static final Duration DEFAULT_LONGEST_HOLD = Duration.ofMinutes(15);

    public static final OutageSettings DEFAULTS =
            new OutageSettings(DEFAULT_FIRST_PAUSE, DEFAULT_LONGEST_PAUSE, DEFAULT_LONGEST_HOLD);

    /**
     * Validates the settings.
     *
     * @throws IllegalArgumentException names the value and what it must be
     */
    public OutageSettings {
        require(firstPause.toMillis() >= 1, "firstPause " + firstPause + " is shorter than a millisecond");
        require(
                longestPause.compareTo(firstPause) >= 0,
                "longestPause " + longestPause + " is shorter than firstPause " + firstPause);
        require(
                !longestHold.isNegative(),
                "idem.consumer.outage.longest-hold " + longestHold + " is negative; use 0 to hold nothing");
    }
}
