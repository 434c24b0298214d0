package io.idem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.Goal;
import io.idem.benchmarks.report.Verdict;
import org.junit.jupiter.api.Test;

class GoalsTest {

    @Test
    void retiredGoalsAreNotJudged() {
        assertThat(Goals.all()).extracting(Goal::id).doesNotContain("G1", "G2", "G3", "G6");
    }

    @Test
    void everyGoalIsShownBeforeAnythingWasMeasured() {
        Figures nothing = new Figures();

        assertThat(Goals.all())
                .allSatisfy(goal -> assertThat(goal.verdict(nothing)).isEqualTo(Verdict.NOT_RUN));
    }
}
