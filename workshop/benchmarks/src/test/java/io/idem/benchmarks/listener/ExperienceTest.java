package io.idem.benchmarks.listener;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExperienceTest {

    private final Experience experience = new Experience();

    @Test
    void aNewListenerHasToSeeWhatItsUsualWarmUpLacks() {
        assertThat(experience.missing("batch", 30_000)).isEqualTo(70_000);
        assertThat(experience.missing("batch", 150_000)).isZero();
    }

    @Test
    void whatAListenerSawInEarlierRoundsCountsForItAlone() {
        experience.saw("batch", 40_000);
        experience.saw("batch", 20_000);

        assertThat(experience.missing("batch", 30_000)).isEqualTo(10_000);
        assertThat(experience.missing("other batch", 30_000)).isEqualTo(70_000);

        experience.saw("batch", 60_000);
        assertThat(experience.missing("batch", 30_000)).isZero();
    }
}
