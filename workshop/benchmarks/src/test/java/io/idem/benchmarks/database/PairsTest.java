package io.idem.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PairsTest {

    private static final Duration SLICE = Duration.ofMillis(1);

    private final List<String> calls = new ArrayList<>();

    @Test
    void theFirstSideOfAPairAlternates() throws Exception {
        measure(new PairPlan(Duration.ZERO, SLICE, 3), way("control", 1), way("way", 1));

        assertThat(runs().skip(2)).containsExactly("control", "way", "way", "control", "control", "way");
    }

    @Test
    void slicesOfTheWarmUpAreNotAmongThePairs() throws Exception {
        List<Pairs.Pair> pairs =
                measure(new PairPlan(SLICE.multipliedBy(5), SLICE, 2), way("control", 1), way("way", 1));

        assertThat(runs().count()).isEqualTo(2 * (5 + 2));
        assertThat(pairs).hasSize(2);
    }

    @Test
    void preparationAndEndOfASliceSurroundIt() throws Exception {
        measure(new PairPlan(Duration.ZERO, SLICE, 1), way("control", 1), way("way", 1));

        assertThat(calls.subList(0, 6))
                .containsExactly(
                        "prepare control", "run control", "settle control", "prepare way", "run way", "settle way");
    }

    @Test
    void aRatioIsMadeOfTheSlicesOfEachPair() throws Exception {
        List<Pairs.Pair> pairs = measure(new PairPlan(Duration.ZERO, SLICE, 4), way("control", 10), way("way", 5));

        assertThat(Pairs.ratio(pairs, (way, control) -> (double) way.messages() / control.messages()))
                .isEqualTo(new Quartiles(0.5, 0.5, 0.5));
    }

    @Test
    void aSliceWithoutAMessageIsAFailure() {
        assertThatIllegalStateException()
                .isThrownBy(() -> measure(new PairPlan(Duration.ZERO, SLICE, 1), way("control", 1), way("way", 0)))
                .withMessageContaining("handled no message");
    }

    private List<Pairs.Pair> measure(PairPlan plan, Way control, Way way) throws Exception {
        return new Pairs(plan, new CpuTime(Set.of())).measure(control, way);
    }

    private Stream<String> runs() {
        return calls.stream().filter(call -> call.startsWith("run ")).map(call -> call.substring("run ".length()));
    }

    private Way way(String name, long messages) {
        return new Way() {

            private long handled;

            @Override
            public void prepare() {
                calls.add("prepare " + name);
            }

            @Override
            public void run(long deadline) {
                calls.add("run " + name);
                handled += messages;
            }

            @Override
            public long handled() {
                return handled;
            }

            @Override
            public void settle() {
                calls.add("settle " + name);
            }

            @Override
            public List<HikariDataSource> pools() {
                return List.of();
            }

            @Override
            public void close() {}
        };
    }
}
