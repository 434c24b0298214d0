package io.idem;

import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The delay of a key after a failed attempt: exponential, bounded, with jitter. During the delay an acquire is answered
 * {@link Outcome.NotYet}. Thread-safe if its source of randomness is.
 *
 * @param first delay after the first attempt; zero for none at all
 * @param multiplier how much longer each delay is than the one before; at least 1
 * @param longest bound of every delay
 * @param jitter which part of a delay is left to chance, from 0 to 1: 0.5 gives delays between a half and the whole
 * @param random source of the jitter; give a seeded one for reproducible tests
 */
public record Backoff(Duration first, double multiplier, Duration longest, double jitter, RandomGenerator random) {

    /** The default: whoever asks next may try at once. Right where somebody else owns the retry. */
    public static final Backoff NONE = new Backoff(Duration.ZERO, 1, Duration.ZERO, 0, new Random(0));

    /** Twice as long each time. */
    public static final double DEFAULT_MULTIPLIER = 2;

    /** A half: attempts that failed together do not come back together. */
    public static final double DEFAULT_JITTER = 0.5;

    /** 5 min. */
    public static final Duration DEFAULT_LONGEST = Duration.ofMinutes(5);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException names the value and what it must be
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

    /** Doubling delays with the default jitter. */
    public static Backoff exponential(Duration first, Duration longest) {
        return new Backoff(first, DEFAULT_MULTIPLIER, longest, DEFAULT_JITTER, new Random());
    }

    /** The same with another source of randomness. */
    public Backoff withRandom(RandomGenerator source) {
        return new Backoff(first, multiplier, longest, jitter, source);
    }

    /**
     * A back-off with some values replaced. Null keeps a value; if there was no delay so far, the others are the defaults.
     *
     * @throws IllegalArgumentException names the value and what it must be
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

    /** Whether there is no delay at all. */
    public boolean isNone() {
        return first.isZero();
    }

    /**
     * The delay after an attempt.
     *
     * @param attempt which attempt failed, from 1
     */
    public Duration after(int attempt) {
        if (isNone()) {
            return Duration.ZERO;
        }
        double grown = (double) first.toMillis() * Math.pow(multiplier, Math.max(0, attempt - 1));
        double bounded = Math.min(grown, (double) longest.toMillis());
        return Duration.ofMillis((long) (bounded * (1 - jitter * random.nextDouble())));
    }

    private static void require(boolean holds, String complaint) {
        if (!holds) {
            throw new IllegalArgumentException(complaint);
        }
    }
}
