package io.idem.benchmarks.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idem.benchmarks.report.Figure;
import io.idem.benchmarks.report.Figures;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MeterTest {

    @Test
    void messagesOfTheWarmUpAreNotCounted() {
        Meter meter = new Meter(10, 20);

        meter.done(15);
        meter.done(15);

        assertThat(meter.messages()).isEqualTo(30);
        Figures figures = new Figures();
        meter.report("batch", figures);
        assertThat(figures.of("batch").orElseThrow().median()).isPositive().isFinite();
        assertThat(figures.all()).extracting(Figure::name).containsExactly("batch", "batch CPU", "batch allocated");
    }

    @Test
    void whoStandsStillIsToldHowFarItCameAndWhereItStands() {
        Meter meter = new Meter(10, 20, Duration.ofMillis(1));

        meter.done(15);

        assertThatIllegalStateException()
                .isThrownBy(meter::await)
                .withMessageContaining("15 of 30")
                .withMessageContaining("the listener's threads");
    }

    @Test
    void whoIsDoneIsNotWaitedFor() throws Exception {
        Meter meter = new Meter(0, 20, Duration.ofMillis(1));

        meter.done(20);

        meter.await();
    }
}
