package io.idem.benchmarks.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.benchmarks.report.Figure;
import io.idem.benchmarks.report.Figures;
import org.junit.jupiter.api.Test;

class MeterTest {

    @Test
    void messagesOfTheWarmUpAreNotCounted() throws Exception {
        Meter meter = new Meter(10, 20);

        meter.done(15);
        meter.done(15);

        assertThat(meter.messages()).isEqualTo(30);
        Figures figures = new Figures();
        meter.report("batch", figures);
        assertThat(figures.of("batch").orElseThrow().median()).isPositive().isFinite();
        assertThat(figures.all()).extracting(Figure::name).containsExactly("batch", "batch CPU", "batch allocated");
    }
}
