package io.idem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.benchmarks.database.Comparison;
import io.idem.benchmarks.database.WayFigures;
import io.idem.benchmarks.database.Ways;
import io.idem.benchmarks.report.BarChart;
import io.idem.benchmarks.report.Figures;
import org.junit.jupiter.api.Test;

class WayTableTest {

    private final Figures figures = new Figures();

    @Test
    void aMeasuredWayStandsBelowItsControl() {
        WayFigures way = new WayFigures("Redis + inbox");
        figures.add(way.rate(), "x", 0.47);
        figures.add(way.lowerQuartile(), "x", 0.41);
        figures.add(way.upperQuartile(), "x", 0.52);
        figures.add(way.cpu(), "x", 2.1);
        figures.add(way.roundTrips(), "", 3);
        figures.add(new WayFigures(Comparison.ROW).commits(), "", 1);

        assertThat(table().render().lines().skip(2))
                .first()
                .asString()
                .startsWith("| the hand-written row | – | – | 1.0 | – |");
        assertThat(table().render())
                .contains("| Redis + inbox | **0.47** (0.41–0.52) | 2.10 | – | 3.0 | – | the hand-written row |");
    }

    @Test
    void waysThatWereNotMeasuredAreLeftOut() {
        assertThat(table().render().lines()).hasSize(2);
        assertThat(table().chart().bars()).isEmpty();
    }

    @Test
    void thePlotMarksTheWaysOfIdem() {
        figures.add(new WayFigures("Redis + inbox").rate(), "x", 0.47);
        figures.add(new WayFigures("JobRunr").rate(), "x", 0.1);

        assertThat(table().chart().bars())
                .containsExactly(
                        new BarChart.Bar("Redis + inbox", 0.47, true), new BarChart.Bar("JobRunr", 0.1, false));
    }

    private WayTable table() {
        return new WayTable(Ways.all(), figures);
    }
}
