package io.idem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PartsTest {

    private static final List<Piece> PIECES = List.of(new Piece("one"), new Piece("two"), new Piece("three"));

    private final List<String> measured = new ArrayList<>();

    @Test
    void whatFailsDoesNotKeepTheOthersFromBeingMeasured() {
        Parts parts = new Parts(new Random(1)).each(PIECES, part -> {
            if ("two".equals(part.name())) {
                throw new NoClassDefFoundError("none");
            }
            measured.add(part.name());
        });

        assertThat(measured).containsExactlyInAnyOrder("one", "three");
        assertThatExceptionOfType(MeasurementException.class)
                .isThrownBy(parts::end)
                .withMessageContaining("two")
                .withCauseInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void everyFailureIsTold() {
        Parts parts = new Parts(new Random(1)).each(PIECES, part -> {
            throw new IllegalStateException(part.name());
        });

        assertThatExceptionOfType(MeasurementException.class)
                .isThrownBy(parts::end)
                .satisfies(failed -> assertThat(failed.getSuppressed()).hasSize(PIECES.size() - 1));
    }

    private record Piece(String name) implements Parts.Part {}
}
