package io.idem.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuartilesTest {

    @Test
    void quartilesDoNotDependOnTheOrder() {
        assertThat(Quartiles.of(5, 1, 4, 2, 3)).isEqualTo(new Quartiles(2, 3, 4));
    }

    @Test
    void quartilesBetweenTwoValuesAreInterpolated() {
        assertThat(Quartiles.of(1, 2, 3, 4)).isEqualTo(new Quartiles(1.75, 2.5, 3.25));
    }

    @Test
    void oneValueIsEveryQuartile() {
        assertThat(Quartiles.of(0.9)).isEqualTo(new Quartiles(0.9, 0.9, 0.9));
    }
}
