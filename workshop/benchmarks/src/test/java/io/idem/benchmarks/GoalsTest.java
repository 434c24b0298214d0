package io.idem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.benchmarks.database.Comparison;
import io.idem.benchmarks.database.Ways;
import io.idem.benchmarks.report.Bound;
import io.idem.benchmarks.report.Figures;
import io.idem.benchmarks.report.Goal;
import io.idem.benchmarks.report.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoalsTest {

    @Test
    void retiredGoalsAreNotJudged() {
        assertThat(Goals.all()).extracting(Goal::id).doesNotContain("G1", "G2", "G3", "G6");
    }

    @Test
    void theGoalsOfTheInboxAreFiguresOfMeasuredWays() {
        List<String> ways = Ways.all().stream().map(Comparison::name).toList();

        assertThat(Goals.all())
                .filteredOn(goal -> List.of("G14", "G15", "G16").contains(goal.id()))
                .isNotEmpty()
                .allSatisfy(goal -> assertThat(ways)
                        .anySatisfy(way -> assertThat(goal.figure()).startsWith(way + ": ")));
    }

    @Test
    void theInboxAloneIsJudgedByEveryGoalOfItsOwn() {
        assertThat(Goals.all())
                .filteredOn(goal -> goal.id().equals("G15"))
                .extracting(Goal::bound)
                .containsExactly(
                        Bound.atLeast(0.85),
                        Bound.atMost(1.35),
                        Bound.atLeast(0.85),
                        Bound.atMost(1),
                        Bound.atMost(3),
                        Bound.atMost(4),
                        Bound.atMost(2));
    }

    @Test
    void everyGoalIsShownBeforeAnythingWasMeasured() {
        Figures nothing = new Figures();

        assertThat(Goals.all())
                .allSatisfy(goal -> assertThat(goal.verdict(nothing)).isEqualTo(Verdict.NOT_RUN));
    }
}
