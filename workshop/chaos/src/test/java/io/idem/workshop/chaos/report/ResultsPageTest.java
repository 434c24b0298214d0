package io.idem.workshop.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.chaos.check.Cause;
import io.idem.workshop.chaos.check.Doubled;
import io.idem.workshop.chaos.check.Finding;
import io.idem.workshop.chaos.check.StepFinding;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.worker.Lane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that the page of results states the circumstances of its figures and shows all duplicates. */
class ResultsPageTest {

    private static final Doubled DECLARED = new Doubled("k1", Cause.CRASH, "its owner 7 was killed");
    private static final Doubled MISTAKE = new Doubled("k2", Cause.UNEXPLAINED, "its first owner gave the key back");

    @Test
    void thePageNamesItsCommandItsSeedItsVersionsAndItsMachine() {
        assertThat(ResultsPage.of(report(DECLARED)))
                .contains("`workshop/chaos.sh --full`")
                .contains("| seed | 7 |")
                .contains("Redis 7.0.15")
                .contains("2 processors")
                .contains("2 times for a quarter of the lease or more, the longest 1300 ms");
    }

    @Test
    void thePublishedPageNamesThemToo() throws Exception {
        Path page = Path.of("..", "..", "docs", ResultsPage.NAME);
        if (Files.exists(page)) {
            assertThat(Files.readString(page))
                    .containsPattern("`\\workshop/chaos.sh [^`]*`: ")
                    .containsPattern("\\| seed \\| \\d+ \\|")
                    .containsPattern("\\| versions \\| .*Redis .*\\|")
                    .containsPattern("\\| machine \\| \\d+ processors");
        }
    }

    @Test
    void everyDoubleIsThereWithItsCause() {
        assertThat(ResultsPage.of(report(DECLARED)))
                .contains("`k1` | a crash between commit and COMPLETE | its owner 7 was killed");
    }

    @Test
    void whatTheDeliveryLimitLostIsThere() {
        assertThat(ResultsPage.of(report(DECLARED)))
                .contains("the delivery limit was 3", "| busy | rabbit-inbox | 4 | 2 |");
    }

    @Test
    void logsThatWereKeptAreNamedAndFailNothing() {
        Report report = report(DECLARED);

        assertThat(ReportText.of(report)).contains("`kept-logs/s7.p3-kafka-restart/kafka.log`");
        assertThat(ResultsPage.of(report)).contains("`kept-logs/s7.p3-kafka-restart/kafka.log`");
        assertThat(Complaints.of(report.phases(), report.left())).isEmpty();
    }

    @Test
    void aDoubleWithRedisAloneIsForgivenForADeclaredCauseOnly() {
        assertThat(Complaints.of(report(DECLARED).phases(), Map.of())).isEmpty();
        assertThat(Complaints.of(report(MISTAKE).phases(), Map.of()))
                .singleElement()
                .asString()
                .contains("double (kill, rabbit-redis)", "gave the key back");
    }

    @Test
    void aRememberedStepThatIsBegunAgainFailsTheRun() {
        StepFinding steps = new StepFinding(4, 5, 0, 1, 0, List.of(), List.of("a"), List.of("a"), List.of(), List.of());
        List<PhaseFigures> phases = List.of(phase(DECLARED, steps));

        assertThat(Complaints.of(phases, Map.of()))
                .containsExactly(
                        "remembered step begun again (kill): 1, such as [a]",
                        "step called too often (kill): 1, such as [a]");
        assertThat(Verdicts.of(phases))
                .filteredOn(verdict -> verdict.target().startsWith("steps ") && !verdict.met())
                .extracting(Verdict::figure)
                .containsExactly("1 of 4", "1 of 4");
    }

    @Test
    void aSlowTakeoverIsToldAndFailsNothing() {
        Report report = report(DECLARED);

        assertThat(report.verdicts())
                .anySatisfy(verdict -> assertThat(verdict)
                        .returns(false, Verdict::met)
                        .extracting(Verdict::figure)
                        .isEqualTo("1700 ms of 1"));
        assertThat(Complaints.of(report.phases(), Map.of())).isEmpty();
    }

    @Test
    void aPlotHasATitleADescriptionAndADotForEachMeasurement() {
        String svg = ResultsPage.plots(report(DECLARED)).getOrDefault("reliability/takeover.svg", "");

        assertThat(svg).contains("<title id=\"t\">Takeover times", "<desc id=\"d\">", "prefers-color-scheme:dark");
        assertThat(svg.split("<circle", -1)).hasSize(2);
    }

    private static Report report(Doubled doubled) {
        List<PhaseFigures> phases = List.of(phase(doubled, StepFinding.NONE));
        return new Report(
                true,
                true,
                List.of(),
                "workshop/chaos.sh --full",
                7,
                "NONE",
                60,
                2_000,
                3_000,
                "2 processors (a model), 8 GB, Linux amd64",
                List.of("0.1", "1.5"),
                new Distribution(List.of(4_000L)),
                new Distribution(List.of(600L, 1_300L)),
                Verdicts.of(phases),
                List.of("RabbitMQ 4.0.5", "Redis 7.0.15"),
                List.of(),
                Map.of(202, 400L),
                Map.of(),
                phases,
                3,
                List.of(new ReturnFigures("busy", "rabbit-inbox", 4, 2)),
                List.of(),
                List.of("kept-logs/s7.p3-kafka-restart/kafka.log"),
                List.of());
    }

    private static PhaseFigures phase(Doubled doubled, StepFinding steps) {
        Distribution none = new Distribution(List.of());
        return new PhaseFigures(
                FaultClass.KILL,
                4,
                0,
                10,
                100,
                true,
                none,
                Arrays.stream(Lane.values())
                        .map(lane -> lane == Lane.RABBIT_REDIS
                                ? figures(lane, List.of(doubled), 3_700, 1_700)
                                : new LaneFigures(finding(lane, List.of()), 1, List.of(), none, none, none, none))
                        .toList(),
                steps);
    }

    private static LaneFigures figures(Lane lane, List<Doubled> doubles, long takeover, long overdue) {
        return new LaneFigures(
                finding(lane, doubles.stream().map(Doubled::key).toList()),
                1,
                doubles,
                new Distribution(List.of(takeover)),
                new Distribution(List.of(takeover / 2)),
                new Distribution(List.of(overdue)),
                new Distribution(List.of()));
    }

    private static Finding finding(Lane lane, List<String> doubled) {
        return new Finding(lane.id(), 100, 100, 100, List.of(), doubled, List.of(), List.of(), List.of(), List.of());
    }
}
