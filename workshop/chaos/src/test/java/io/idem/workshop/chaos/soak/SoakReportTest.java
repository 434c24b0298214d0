package io.idem.workshop.chaos.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests when a rising series counts as a leak. */
class SoakReportTest {

    @Test
    void aLeakIsSeenBehindNoise() {
        Series leaking = heap(300, 0.2, 8);

        assertThat(leaking.rise()).isCloseTo(40, within(5.0));
        assertThat(leaking.flat()).isFalse();
    }

    @Test
    void noiseAndAFewWildSamplesAreFlat() {
        List<Double> values = new ArrayList<>(heap(300, 0, 8).values());
        values.set(298, 500.0);
        values.set(299, 500.0);

        assertThat(new Series(Measure.HEAP, "worker 1", values).flat()).isTrue();
    }

    @Test
    void whatGrowsWhileItWarmsUpIsFlatAfterwards() {
        List<Double> values = new ArrayList<>();
        for (int index = 0; index < 90; index++) {
            values.add(Math.min(index, 25.0));
        }

        assertThat(new Series(Measure.THREADS, "", values).flat()).isTrue();
    }

    @Test
    void oneOrphanThatStaysIsTooMany() {
        List<Double> values = new ArrayList<>(Collections.nCopies(60, 0.0));
        values.addAll(Collections.nCopies(30, 1.0));
        Series orphans = new Series(Measure.ORPHANS, "", values);

        assertThat(report(orphans).passed()).isFalse();
        assertThat(report(orphans).complaints()).containsExactly("orphaned PENDING of consumers grows");
    }

    @Test
    void whatTheIntakeLeavesBehindIsToldAndFailsNothing() {
        List<Double> values = new ArrayList<>(Collections.nCopies(60, 0.0));
        values.addAll(Collections.nCopies(30, 7.0));
        SoakReport report = report(new Series(Measure.LEFT_BEHIND, "", values));

        assertThat(report.passed()).isTrue();
        assertThat(report.text()).contains("PENDING left behind by the intake");
    }

    @Test
    void theReportShowsEverySeries() {
        SoakReport report = report(heap(30, 0, 1));

        assertThat(report.text()).contains("heap after a collection, MB (worker 1)");
        assertThat(report.picture()).startsWith("<svg").contains("<title", "<desc", "polyline");
    }

    private static SoakReport report(Series series) {
        return SoakReport.of(
                new Soak.Plan(1, 1, 25, 10_000, Path.of("x"), "workshop/chaos.sh --soak 1"),
                List.of(),
                0,
                List.of(series),
                List.of());
    }

    private static Series heap(int samples, double slope, double noise) {
        Random random = new Random(1);
        List<Double> values = new ArrayList<>();
        for (int index = 0; index < samples; index++) {
            values.add(60 + slope * index + noise * random.nextDouble());
        }
        return new Series(Measure.HEAP, "worker 1", values);
    }
}
