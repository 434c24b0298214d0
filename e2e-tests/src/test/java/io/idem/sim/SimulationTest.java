package io.idem.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.sim.kernel.Report;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The promises hold in every simulated run, whatever fails in it. */
class SimulationTest {

    private static Simulator simulator;

    @BeforeAll
    static void start() {
        simulator = new Simulator();
    }

    @AfterAll
    static void stop() {
        simulator.close();
    }

    @Test
    void everySeedKeepsThePromises() {
        keepsThePromises(300);
    }

    @Test
    @Tag("extended")
    void thousandsOfSeedsKeepThePromises() {
        keepsThePromises(5_000);
    }

    private static void keepsThePromises(long usual) {
        Map<String, Long> totals = Seeds.asked(usual)
                .play(
                        simulator,
                        Map.of(),
                        report -> assertThat(report.violations())
                                .as(() -> report.toString())
                                .isEmpty());

        assertThat(totals).as("load and faults").containsKeys("effects", "acknowledged", "takeovers", "faults CRASH");
        System.out.println("Simulated: " + totals);
    }

    @Test
    void aSeedReplaysExactly() {
        new Seeds(1, 20).stream().forEach(seed -> {
            Report first = simulator.play(seed, Map.of());

            assertThat(simulator.play(seed, Map.of()).trace()).isEqualTo(first.trace());
        });
    }
}
