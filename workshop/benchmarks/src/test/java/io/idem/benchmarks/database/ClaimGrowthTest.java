package io.idem.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.benchmarks.report.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimGrowthTest {

    private final Figures figures = new Figures();

    @Test
    void theMediansOfSteadyRoundsAreTheFigures() {
        ClaimGrowth.report(List.of(1.0, 1.2, 1.3), List.of(1.0, 3.0, 1.5), figures);

        assertThat(figures.ratio(ClaimGrowth.MANY, ClaimGrowth.FEW)
                        .orElseThrow()
                        .median())
                .isEqualTo(1.5 / 1.2);
    }

    @Test
    void aRunWhoseControlDiffersTooMuchIsNotJudged() {
        ClaimGrowth.report(List.of(1.0, 1.2, 1.31), List.of(1.0, 1.0, 1.0), figures);

        assertThat(figures.ratio(ClaimGrowth.MANY, ClaimGrowth.FEW)).isEmpty();
        assertThat(figures.all()).anySatisfy(figure -> assertThat(figure.name()).contains("void"));
    }
}
