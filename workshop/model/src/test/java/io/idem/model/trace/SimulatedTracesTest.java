package io.idem.model.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.simulation.Simulator;
import io.idem.workshop.simulation.flaw.Flaw;
import io.idem.workshop.simulation.kernel.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The model has a behaviour for every step of simulated runs, and none for runs with a mistake that is built in. */
@Tag("extended")
class SimulatedTracesTest {

    private static final long FEW = 10;
    private static final long MANY = 1_000;

    /** Mistakes with a seed whose run the model refuses. */
    private static final Map<Flaw, Long> REFUSED = Map.of(
            Flaw.NO_OWNER_CHECK, 5L,
            Flaw.TTL_AS_LEASE, 2L,
            Flaw.COUNTED_FENCE, 1L,
            Flaw.COMPLETE_FORGOTTEN, 1L,
            Flaw.ACKNOWLEDGED_FIRST, 1L,
            Flaw.BUSY_ACKNOWLEDGED, 5L,
            Flaw.DELETED_ON_CLEAR, 3L,
            Flaw.GRANTED_AGAIN, 17L);

    @TempDir
    private static Path scratch;

    private static Simulator simulator;
    private static TraceChecker checker;
    private static List<TraceVerdict> verdicts;

    /** Asks TLC once about all of them, because its start takes longer than a trace. */
    @BeforeAll
    static void run() {
        simulator = new Simulator();
        checker = new TraceChecker(scratch, true);
        List<Trace> traces = new ArrayList<>();
        LongStream.rangeClosed(1, FEW).forEach(seed -> traces.addAll(traces(seed, Flaw.NONE)));
        REFUSED.forEach((flaw, seed) -> traces.addAll(traces(seed, flaw)));
        verdicts = checker.check(traces);
    }

    @AfterAll
    static void stop() {
        simulator.close();
    }

    /** Fences may go back where a record is lost and the clock goes back too; the model knows no clock. */
    private static List<Trace> traces(long seed, Flaw flaw) {
        Report report = simulator.play(seed, Map.of("flaw", flaw.name()));
        assertThat(report.steps()).as(report::toString).isNotEmpty();
        if (flaw == Flaw.NONE) {
            assertThat(report.violations()).as(report::toString).isEmpty();
        }
        return Trace.of(run(seed, flaw), report.inbox(), report.steps()).stream()
                .filter(trace -> !(report.counts().containsKey("faults CLOCK_JUMP") && trace.fencesGoBack()))
                .toList();
    }

    private static String run(long seed, Flaw flaw) {
        return "mvn -Pextended verify -pl workshop/model -am -Dtest=SimulatedTracesTest#manySeedsAreBehavioursOfTheModel"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Didem.sim.seed=" + seed + " -Didem.trace.flaw=" + flaw;
    }

    private static List<TraceVerdict> of(Flaw flaw) {
        return verdicts.stream()
                .filter(verdict -> verdict.trace().run().endsWith("=" + flaw))
                .toList();
    }

    private static void assertAccepted(List<TraceVerdict> found) {
        assertThat(found.stream()
                        .filter(verdict -> !verdict.accepted())
                        .limit(1)
                        .map(checker::explained))
                .isEmpty();
    }

    @Test
    void everySeedIsABehaviourOfTheModel() {
        assertAccepted(of(Flaw.NONE));
    }

    /** A step that never came was not compared. */
    @Test
    void theSeedsTakeEveryKindOfStep() {
        Set<String> seen = of(Flaw.NONE).stream()
                .flatMap(verdict -> verdict.trace().events().stream())
                .map(event -> (event.step() + " " + event.answer()).trim())
                .collect(Collectors.toSet());

        assertThat(seen)
                .contains(
                        "ACQUIRE FRESH",
                        "ACQUIRE RETRY",
                        "ACQUIRE TAKEOVER",
                        "ACQUIRE REENTRANT",
                        "ACQUIRE REPLAY",
                        "ACQUIRE INPROGRESS",
                        "RENEW OK",
                        "COMPLETE OK",
                        "FAIL OK",
                        "FAULT",
                        "EFFECT",
                        "ACKNOWLEDGED");
    }

    @ParameterizedTest
    @EnumSource(
            value = Flaw.class,
            names = {
                "NO_OWNER_CHECK",
                "TTL_AS_LEASE",
                "COUNTED_FENCE",
                "COMPLETE_FORGOTTEN",
                "ACKNOWLEDGED_FIRST",
                "BUSY_ACKNOWLEDGED",
                "DELETED_ON_CLEAR",
                "GRANTED_AGAIN"
            })
    void aRunWithAMistakeIsNoBehaviourOfTheModel(Flaw flaw) {
        assertThat(of(flaw)).anyMatch(verdict -> !verdict.accepted());
    }

    @Test
    void aRefusalSaysWhatWouldHaveBeenPossibleAndHowToRepeatIt() {
        TraceVerdict refusal = of(Flaw.NO_OWNER_CHECK).stream()
                .filter(verdict -> !verdict.accepted())
                .findFirst()
                .orElseThrow();

        assertThat(checker.explained(refusal))
                .asString()
                .contains("RENEW by", "-> OK", "possible LOST", "-Didem.sim.seed=5 -Didem.trace.flaw=NO_OWNER_CHECK");
    }

    /**
     * Plays more seeds: {@code -Didem.sim.from} and {@code -Didem.sim.seeds} choose a range, {@code -Didem.sim.seed} one,
     * and {@code -Didem.trace.flaw} builds a mistake in.
     */
    @Test
    @Tag("extended")
    void manySeedsAreBehavioursOfTheModel() {
        Flaw flaw = Flaw.valueOf(System.getProperty("idem.trace.flaw", Flaw.NONE.name()));
        long from = Long.getLong("idem.sim.seed", Long.getLong("idem.sim.from", 1));
        long count = Long.getLong("idem.sim.seed") == null ? Long.getLong("idem.sim.seeds", MANY) : 1;
        List<Trace> traces = new ArrayList<>();
        LongStream.range(from, from + count).forEach(seed -> traces.addAll(traces(seed, flaw)));

        assertAccepted(checker.check(traces));
    }
}
