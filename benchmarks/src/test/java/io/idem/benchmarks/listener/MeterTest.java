package io.idem.benchmarks.listener;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeterTest {

    @Test
    void messagesOfTheWarmUpAreNotCounted() throws Exception {
        Meter meter = new Meter(10, 20);

        meter.done(15);
        meter.done(15);

        assertThat(meter.messages()).isEqualTo(30);
        assertThat(meter.rate()).isPositive().isFinite();
    }
}
