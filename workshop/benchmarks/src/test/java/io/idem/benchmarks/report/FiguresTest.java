package io.idem.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {

    private final Figures figures = new Figures();

    @Test
    void aRoundInWhichOneOfThemFailedIsLeftOut() {
        figures.begin(1);
        figures.add("control", "/s", 100);
        figures.begin(2);
        figures.add("control", "/s", 400);
        figures.add("idem", "/s", 200);

        assertThat(figures.ratio("idem", "control").orElseThrow().rounds()).containsExactly(0.5);
        assertThat(figures.of("control").orElseThrow().rounds()).containsExactly(100.0, 400.0);
    }

    @Test
    void theTableTellsHowManyRoundsAFigureHas() {
        figures.begin(1);
        figures.add("idem", "B", 10);
        figures.begin(2);
        figures.add("idem", "B", 12);

        assertThat(new FigureTable().render(figures)).endsWith("| idem | 11.0 | 10.0 – 12.0 | 2 | B |\n");
    }

    @Test
    void theTableIsInTheOrderOfNamesWhateverWasMeasuredFirst() {
        figures.begin(1);
        figures.add("pair: idem", "B", 1);
        figures.add("batch: idem", "B", 2);

        assertThat(new FigureTable().render(figures)).containsSubsequence("| batch: idem |", "| pair: idem |");
    }
}
