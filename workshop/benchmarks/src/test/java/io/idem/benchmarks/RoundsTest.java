package io.idem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.benchmarks.report.Figures;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private final Figures figures = new Figures();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final List<Integer> noted = new ArrayList<>();

    @Test
    void aSuiteThatFailsTakesNoOtherAlong() throws IOException {
        boolean complete = measure(new Counting("good", null), new Counting("bad", new OutOfMemoryError("none")));

        assertThat(complete).isFalse();
        assertThat(figures.of("good").orElseThrow().rounds()).containsExactly(1.0, 1.0);
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("bad failed");
    }

    @Test
    void everythingIsNotedAfterEveryPart() throws IOException {
        assertThat(measure(new Counting("one", null), new Counting("two", null)))
                .isTrue();
        assertThat(noted).containsExactly(1, 2, 2, 2);
    }

    private boolean measure(Suite... suites) throws IOException {
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        return new Rounds(
                        new Schedule(List.of(suites), 2),
                        figures,
                        () -> noted.add(figures.all().size()),
                        out)
                .measure(new Random(1));
    }

    private record Counting(String name, @Nullable Error failure) implements Suite {

        @Override
        public int seconds() {
            return 1;
        }

        @Override
        public int enoughRounds() {
            return EVERY_ROUND;
        }

        @Override
        public void round(Figures to, Random order) {
            if (failure != null) {
                throw failure;
            }
            to.add(name, "", 1);
        }
    }
}
