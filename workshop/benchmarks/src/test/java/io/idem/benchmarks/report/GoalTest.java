package io.idem.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GoalTest {

    private static final Goal GOAL = new Goal("G1", "pair", "pair", "ping", "two PING", Bound.atMost(1.15, 1.25));

    private final Figures figures = new Figures();
    private int round;

    @Test
    void whatDisturbsARoundDisturbsItsControlToo() {
        add(110, 100);
        add(440, 400);
        add(220, 200);

        assertThat(figures.ratio("pair", "ping").orElseThrow().median()).isEqualTo(1.1);
        assertThat(GOAL.verdict(figures)).isEqualTo(Verdict.MET);
    }

    @Test
    void theGateIsWiderThanTheGoal() {
        add(120, 100);

        assertThat(GOAL.verdict(figures)).isEqualTo(Verdict.WITHIN_GATE);
    }

    @Test
    void beyondTheGateAGoalIsMissed() {
        add(126, 100);

        assertThat(GOAL.verdict(figures)).isEqualTo(Verdict.MISSED);
    }

    @Test
    void whatWasNotMeasuredIsNotJudged() {
        figures.add("pair", "µs", 120);

        assertThat(GOAL.verdict(figures)).isEqualTo(Verdict.NOT_RUN);
    }

    @Test
    void aVoidRunIsNotJudgedAndSaysSo() {
        figures.add("pair" + Goal.OF_A_VOID_RUN, "µs", 120);

        assertThat(GOAL.verdict(figures)).isEqualTo(Verdict.VOID);
        assertThat(verdict("# Page\n")).isEqualTo("void");
    }

    @Test
    void atLeastIsJudgedTheOtherWayRound() {
        assertThat(List.of(Bound.atLeast(2).judge(2), Bound.atLeast(2).judge(1.9)))
                .containsExactly(Verdict.MET, Verdict.MISSED);
    }

    @Test
    void theMedianOfAnEvenNumberOfRoundsIsBetweenTheMiddleOnes() {
        assertThat(new Figure("any", "", List.of(4.0, 1.0, 2.0, 9.0)).median()).isEqualTo(3);
    }

    @Test
    void theTableShowsFigureSpreadControlAndVerdict() {
        add(110, 100);
        add(120, 100);

        assertThat(new GoalTable(List.of(GOAL), Causes.NONE).render(figures))
                .endsWith("| G1 | pair | ≤ 1.15× (1.25×) | **1.15×** (1.10–1.20) | two PING | met |\n");
    }

    @Test
    void aCountIsNotShownAsARatio() {
        Goal count = new Goal("G2", "commands", "commands", "", "none", Bound.atMost(0));
        figures.add("commands", "", 0);

        assertThat(new GoalTable(List.of(count), Causes.NONE).render(figures))
                .endsWith("| G2 | commands | ≤ 0.0 | **0.0** (0.0–0.0) | none | met |\n");
    }

    @Test
    void aBoundOnBothSidesIsBrokenOnBoth() {
        Bound bound = Bound.between(0.85, 1.15);

        assertThat(List.of(bound.judge(0.8), bound.judge(1), bound.judge(1.2)))
                .containsExactly(Verdict.MISSED, Verdict.MET, Verdict.MISSED);
        assertThat(bound.text("×")).isEqualTo("0.85–1.15×");
    }

    @Test
    void aGoalThatIsNotMetLeadsToItsCause() {
        add(120, 100);

        assertThat(verdict("# Page\n### Why G1\nBecause.")).isEqualTo("[within the gate](#why-g1)");
        assertThat(verdict("# Page\n### Why G10\nBecause."))
                .isEqualTo("within the gate, for a reason not written down");
    }

    private String verdict(String page) {
        return new Causes(page).text(GOAL, GOAL.verdict(figures));
    }

    private void add(double pair, double ping) {
        figures.begin(++round);
        figures.add("pair", "µs", pair);
        figures.add("ping", "µs", ping);
    }
}
