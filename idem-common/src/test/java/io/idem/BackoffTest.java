package io.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Backoff doubling(double jitter, long seed) {
        return new Backoff(SECOND, 2, SECOND.multipliedBy(10), jitter, new Random(seed));
    }

    private static List<Duration> rests(Backoff backoff) {
        return IntStream.rangeClosed(1, 6).mapToObj(backoff::after).toList();
    }

    @Test
    void restsGrowUpToTheirBound() {
        assertThat(rests(doubling(0, 1)))
                .containsExactly(
                        SECOND,
                        SECOND.multipliedBy(2),
                        SECOND.multipliedBy(4),
                        SECOND.multipliedBy(8),
                        SECOND.multipliedBy(10),
                        SECOND.multipliedBy(10));
    }

    @Test
    void jitterShortensARestByAtMostItsPart() {
        Backoff backoff = doubling(0.5, 1);

        for (int i = 0; i < 1000; i++) {
            assertThat(backoff.after(2)).isBetween(SECOND, SECOND.multipliedBy(2));
        }
    }

    @Test
    void aSeedMakesRestsReproducible() {
        assertThat(rests(doubling(0.5, 42)))
                .isEqualTo(rests(doubling(0.5, 1).withRandom(new Random(42))))
                .isNotEqualTo(rests(doubling(0.5, 43)));
    }

    @Test
    void manyAttemptsDoNotOverflow() {
        assertThat(doubling(0, 1).after(65_535)).isEqualTo(SECOND.multipliedBy(10));
    }

    @Test
    void noneIsNoRest() {
        assertThat(Backoff.NONE.isNone()).isTrue();
        assertThat(Backoff.NONE.after(7)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "backoff.first, -1, 2, 10, 0.5",
        "backoff.longest, 10, 2, 9, 0.5",
        "backoff.multiplier, 1, 0.9, 10, 0.5",
        "backoff.multiplier, 1, NaN, 10, 0.5",
        "backoff.jitter, 1, 2, 10, 1.1",
        "backoff.jitter, 1, 2, 10, -0.1",
    })
    void valuesThatMakeNoSenseAreNamed(String name, long first, double multiplier, long longest, double jitter) {
        assertThatThrownBy(() -> new Backoff(
                        Duration.ofSeconds(first), multiplier, Duration.ofSeconds(longest), jitter, new Random(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(name + " ");
    }

    @Test
    void aRestMustEndBeforeTheRecordIsForgotten() {
        AttemptPolicy slow = AttemptPolicy.DEFAULT.withBackoff(Backoff.exponential(SECOND, Duration.ofHours(2)));

        assertThatThrownBy(() -> ExecutionPolicy.of(SECOND, Duration.ofHours(1)).withAttempts(slow))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("backoff.longest ");
    }
}
