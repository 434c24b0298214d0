package io.idem;

import static io.idem.internal.value.Arguments.require;

import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The delay of a key after a failed attempt: exponential, bounded, with jitter. During the delay an acquire is answered
 * {@link Outcome.NotYet}. Delays are counted in whole milliseconds. Immutable; thread-safe if its source of randomness
 * is.
 *
 * @param first the delay after the first attempt; zero for no delay after any attempt
 * @param multiplier the factor by which each delay is longer than the one before; at least 1
 * @param longest the bound of every delay; at most 100 years
 * @param jitter the part of a delay that is random, from 0 to 1: 0.5 gives delays between a half and the whole
 * @param random the source of the jitter; give a seeded one for reproducible tests
 */
public record Backoff(Duration first, double multiplier, Duration longest, double jitter, RandomGenerator random) {

    /** The default, no delay: another attempt may follow at once. Right where a broker or client paces the retries. */
    public static final Backoff NONE = new Backoff(Duration.ZERO, 1, Duration.ZERO, 0, new Random(0));

    /** The default multiplier: each delay is twice as long as the one before. */
    public static final double DEFAULT_MULTIPLIER = 2;

    /** The default jitter of 0.5, so that attempts that failed together do not come back together. */
    public static final double DEFAULT_JITTER = 0.5;

    /** The default bound of a delay: 5 minutes. */
    public static final Duration DEFAULT_LONGEST = Duration.ofMinutes(5);

    /**
     * Creates a back-off and checks its values.
     *
     * @throws IllegalArgumentException if a value is out of bounds; the message names the value
     */
    public Backoff {
        require(!first.isNegative(), "backoff.first " + first + " is negative; use 0 for no back-off");
        require(
                longest.compareTo(first) >= 0,
                "backoff.longest " + longest + " is shorter than backoff.first " + first);
        require(
                longest.compareTo(RecordUpdate.LONGEST_DELAY) <= 0,
                "backoff.longest " + longest + " is longer than 100 years");
        require(multiplier >= 1 && Double.isFinite(multiplier), "backoff.multiplier " + multiplier + " is less than 1");
        require(jitter >= 0 && jitter <= 1, "backoff.jitter " + jitter + " is not between 0 and 1");
    }

    /**
     * Returns a back-off whose delays double up to a bound, with {@link #DEFAULT_JITTER}.
     *
     * @param first the delay after the first attempt; zero for no delay after any attempt
     * @param longest the bound of every delay
     */
    public static Backoff exponential(Duration first, Duration longest) {
        return new Backoff(first, DEFAULT_MULTIPLIER, longest, DEFAULT_JITTER, new Random());
    }

    /** Returns a copy with another source of randomness. */
    public Backoff withRandom(RandomGenerator source) {
        return new Backoff(first, multiplier, longest, jitter, source);
    }

    /**
     * Returns a copy with some values replaced. A null argument keeps the present value, or, if this back-off has no
     * delay, stands for the default.
     *
     * @throws IllegalArgumentException if the values do not fit together; the message names the value
     */
    public Backoff with(
            @Nullable Duration newFirst,
            @Nullable Double newMultiplier,
            @Nullable Duration newLongest,
            @Nullable Double newJitter) {
        Duration delay = Objects.requireNonNullElse(newFirst, first);
        if (delay.isZero()) {
            return NONE;
        }
        Duration bound = isNone() ? DEFAULT_LONGEST : longest;
        return new Backoff(
                delay,
                Objects.requireNonNullElse(newMultiplier, isNone() ? DEFAULT_MULTIPLIER : multiplier),
                Objects.requireNonNullElse(newLongest, delay.compareTo(bound) > 0 ? delay : bound),
                Objects.requireNonNullElse(newJitter, isNone() ? DEFAULT_JITTER : jitter),
                isNone() ? new Random() : random);
    }

    /** Returns whether there is no delay after any attempt. */
    public boolean isNone() {
        return first.isZero();
    }

    /**
     * Returns the delay after an attempt.
     *
     * @param attempt the number of the attempt that failed, from 1
     */
    public Duration after(int attempt) {
        if (isNone()) {
            return Duration.ZERO;
        }
        double grown = (double) first.toMillis() * Math.pow(multiplier, Math.max(0, attempt - 1));
        double bounded = Math.min(grown, (double) longest.toMillis());
        return Duration.ofMillis((long) (bounded * (1 - jitter * random.nextDouble())));
    }
}
