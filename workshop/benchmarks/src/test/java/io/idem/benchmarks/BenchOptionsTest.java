package io.idem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idem.benchmarks.database.PairPlan;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchOptionsTest {

    @Test
    void aQuickRunIsOneRoundOfEverything() {
        BenchOptions options = BenchOptions.parse("--quick", "--newest-java", "");

        assertThat(options.rounds()).isEqualTo(1);
        assertThat(options.wants("engine")).isTrue();
        assertThat(options.newestJava()).isEmpty();
    }

    @Test
    void aRunMayBeRepeatedAndNarrowed() {
        BenchOptions options = BenchOptions.parse("--seed", "42", "--only", "cost,http", "--rounds", "3");

        assertThat(options.seed()).isEqualTo(42);
        assertThat(options.rounds()).isEqualTo(3);
        assertThat(options.wants("http")).isTrue();
        assertThat(options.wants("engine")).isFalse();
    }

    @Test
    void theLargerInboxHasAsManyRowsAsAskedFor() {
        assertThat(BenchOptions.parse("--inbox-rows", "3000000").inboxRows()).isEqualTo(3_000_000);
        assertThat(BenchOptions.parse("--quick").inboxRows())
                .isLessThan(BenchOptions.parse().inboxRows());
    }

    @Test
    void aFullRunHasTwentyPairsAfterSixteenSecondsOfWarmUp() {
        PairPlan full = BenchOptions.parse().pairs();

        assertThat(full.pairs()).isGreaterThanOrEqualTo(20);
        assertThat(full.warmUp()).isGreaterThanOrEqualTo(Duration.ofSeconds(16));
        assertThat(BenchOptions.parse("--quick").pairs().pairs()).isLessThan(full.pairs());
    }

    @ParameterizedTest
    @CsvSource({"--rounds,none,--rounds", "--rounds,0,at least 1", "--only,speed,'speed'", "--fast,yes,--fast"})
    void whatIsWrongIsNamed(String option, String value, String named) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> BenchOptions.parse(option, value))
                .withMessageContaining(named);
    }
}
