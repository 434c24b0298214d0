package io.idem.workshop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.simulation.flaw.Flaw;
import io.idem.workshop.simulation.flaw.InboxFlaw;
import io.idem.workshop.simulation.kernel.Report;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the promises hold in simulated runs with all kinds of faults, and that violations are found. */
class SimulationTest {

    private static final long SEEDS_PER_FLAW = 200;

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
        keepsThePromises(100);
    }

    @Test
    @Tag("extended")
    void thousandsOfSeedsKeepThePromises() {
        keepsThePromises(3_000);
    }

    private static void keepsThePromises(long usual) {
        Seeds seeds = Seeds.asked(usual);
        Map<String, Long> totals = seeds.play(
                simulator,
                report -> assertThat(report.violations()).as(report::toString).isEmpty());

        System.out.println("Simulated " + seeds + ": " + totals);
        assertThat(totals).as("load").containsKeys("effects", "acknowledged");
        if (seeds.count() >= usual) {
            assertThat(totals).as("steps").containsKeys("step calls", "step questions", "steps returned");
        }
    }

    @Test
    void everySeedKeepsThePromisesOfTheInboxAlone() {
        keepsThePromisesOfTheInboxAlone(60);
    }

    @Test
    @Tag("extended")
    void thousandsOfSeedsKeepThePromisesOfTheInboxAlone() {
        keepsThePromisesOfTheInboxAlone(3_000);
    }

    /** Uses many attempts, as the other runs do, and few, so that they are used up. */
    private static void keepsThePromisesOfTheInboxAlone(long usual) {
        Stream.of("12", "2").forEach(attempts -> {
            Seeds seeds = Seeds.asked(usual);
            Map<String, Long> totals = seeds.play(
                    simulator,
                    Map.of("alone", "true", "attempts", attempts),
                    report ->
                            assertThat(report.violations()).as(report::toString).isEmpty());

            System.out.println("Simulated inbox alone, " + attempts + " attempts, " + seeds + ": " + totals);
            if (seeds.count() >= usual) {
                assertThat(totals)
                        .as("load")
                        .containsKeys(
                                "effects",
                                "acknowledged",
                                "failures counted",
                                "duplicates of work under way",
                                "sessions ended",
                                "faults COMMIT_UNKNOWN",
                                "releases",
                                "reopened",
                                "completed by operators");
            }
        });
    }

    /** Uses few attempts, so that the last one often commits and dies before it completes. */
    @Test
    void workThatItsLastAttemptCommittedIsNoDeadLetter() {
        Map<String, String> few = Map.of("attempts", "3", "inbox", "true", "intake", "false");

        new Seeds(60, 40).stream().forEach(seed -> {
            Report report = simulator.play(seed, few);
            assertThat(report.violations()).as(report::toString).isEmpty();
            assertThat(report.counts())
                    .as(report::toString)
                    .doesNotContainKeys("dead letters of done work", "dead letters of done work, not announced");
        });
    }

    @Test
    void aSeedRunsTheSameWayTwice() {
        new Seeds(1, 10).stream().forEach(seed -> {
            Report first = simulator.play(seed, Map.of());

            assertThat(simulator.play(seed, Map.of()).trace()).isEqualTo(first.trace());
        });
    }

    @Test
    void aSeedOfTheInboxAloneRunsTheSameWayTwice() {
        new Seeds(1, 5).stream().forEach(seed -> {
            Report first = simulator.play(seed, Map.of("alone", "true"));

            assertThat(simulator.play(seed, Map.of("alone", "true")).trace()).isEqualTo(first.trace());
        });
    }

    @Test
    void everyMistakeOfTheInboxAloneIsCaught() {
        List<FlawScore> scores = Stream.of(InboxFlaw.values())
                .filter(flaw -> flaw != InboxFlaw.NONE)
                .map(flaw -> FlawScore.of(
                        simulator,
                        flaw.name(),
                        Map.of("alone", "true", "inboxFlaw", flaw.name(), "attempts", flaw.attempts()),
                        SEEDS_PER_FLAW))
                .toList();

        System.out.println("Simulated mistakes of the inbox alone: " + scores);
        assertThat(scores).hasSize(11).allMatch(FlawScore::caught);
    }

    /** The record looks the same before and after where it had failed before. */
    @Test
    void aFailureOfAnEarlierOwnerThatIsAnsweredOkIsCaught() {
        assertThat(LongStream.rangeClosed(1, SEEDS_PER_FLAW)
                        .mapToObj(seed -> simulator.play(seed, Map.of("flaw", Flaw.NO_OWNER_CHECK.name())))
                        .flatMap(report -> report.violations().stream()))
                .anyMatch(violation -> violation.contains("was left as it is by Fail of fence"));
    }

    @Test
    void everyMistakeThatIsBuiltInIsCaught() {
        List<FlawScore> scores = Stream.of(Flaw.values())
                .filter(flaw -> flaw != Flaw.NONE)
                .map(flaw -> FlawScore.of(simulator, flaw.name(), SEEDS_PER_FLAW))
                .toList();

        System.out.println("Simulated mistakes: " + scores);
        assertThat(scores).hasSize(13).allMatch(FlawScore::caught);
    }
}
