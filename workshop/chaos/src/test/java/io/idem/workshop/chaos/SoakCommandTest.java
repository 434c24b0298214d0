package io.idem.workshop.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Tests the options of {@code --soak}. */
class SoakCommandTest {

    @Test
    void itLastsAnHourUnlessSaidOtherwise() {
        assertThat(SoakCommand.plan("", "--soak").minutes()).isEqualTo(60);
        assertThat(SoakCommand.plan("", "--soak", "--seed", "7").minutes()).isEqualTo(60);
        assertThat(SoakCommand.plan("", "--soak", "5").minutes()).isEqualTo(5);
    }

    @Test
    void theOtherOptionsCountWhereverTheyAre() {
        assertThat(SoakCommand.plan("", "--seed", "7", "--soak", "5", "--rate", "30"))
                .satisfies(plan -> {
                    assertThat(plan.seed()).isEqualTo(7);
                    assertThat(plan.rate()).isEqualTo(30);
                });
    }

    @Test
    void aSoakOfNoMinutesIsAMistake() {
        assertThatThrownBy(() -> SoakCommand.plan("", "--soak", "0")).isInstanceOf(UsageException.class);
    }
}
