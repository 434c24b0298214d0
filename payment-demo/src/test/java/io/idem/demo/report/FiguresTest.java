package io.idem.demo.report;

import static io.idem.demo.report.Exchanges.accepted;
import static io.idem.demo.report.Exchanges.hungUp;
import static io.idem.demo.report.Exchanges.payment;
import static io.idem.demo.report.Exchanges.replay;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FiguresTest {

    private static final WorkerFigures WORKERS = new WorkerFigures(20, 3, 10, 2, 2, 5, 1);
    private static final StepFigures STEPS = new StepFigures(12, 1, 0);
    private static final HttpFigures HTTP = HttpFigures.of(List.of(
            accepted("a", 1),
            replay("a", 1),
            payment("a", 1, 409, ""),
            payment("a", 2, 422, ""),
            payment("a", 1, 503, ""),
            payment("a", 1, 500, ""),
            hungUp("b", 1)));

    private static Figures figures(EffectFigures effects, int kills) {
        return new Figures(HTTP, WORKERS, STEPS, new Figures.Outside(4, kills, 0), effects);
    }

    private static EffectFigures effects(int lost, int doubled) {
        return new EffectFigures(10, lost, doubled, 0, 0, 0);
    }

    @Test
    void everyReplyIsCountedOnce() {
        assertThat(HTTP).isEqualTo(new HttpFigures(7, 1, 1, 1, 1, 1, 1, 1));
    }

    @Test
    void aCleanRunHasNothingToComplainAbout() {
        assertThat(figures(effects(0, 0), 2).complaints(Store.REDIS)).isEmpty();
    }

    @Test
    void whatIsLostOrDoubleFailsTheRun() {
        assertThat(figures(effects(2, 1), 2).complaints(Store.REDIS)).containsExactly("2 lost", "1 doubled");
    }

    @Test
    void aCallWhoseAnswerWasRememberedFailsTheRun() {
        Figures.Outside outside = new Figures.Outside(4, 2, 0);

        assertThat(new Figures(HTTP, WORKERS, new StepFigures(12, 0, 1), outside, effects(0, 0))
                        .complaints(Store.REDIS))
                .singleElement()
                .asString()
                .startsWith("1 called the bank again");
    }

    @Test
    void aStoryWithoutKillsProvesNothing() {
        assertThat(figures(effects(0, 0), 1).complaints(Store.REDIS))
                .singleElement()
                .asString()
                .startsWith("only 1 kills");
    }

    @Test
    void withoutRedisAStoryWithoutARestartProvesNothing() {
        WorkerFigures tookOver = new WorkerFigures(20, 3, 10, 2, 0, 5, 1);
        WorkerFigures restarted = new WorkerFigures(20, 3, 10, 0, 2, 5, 1);
        Figures.Outside outside = new Figures.Outside(4, 2, 0);

        assertThat(new Figures(HTTP, restarted, STEPS, outside, effects(0, 0)).complaints(Store.INBOX))
                .isEmpty();
        assertThat(new Figures(HTTP, tookOver, STEPS, outside, effects(0, 0)).complaints(Store.INBOX))
                .singleElement()
                .asString()
                .startsWith("only 0 restarts");
    }

    @Test
    void theJsonHasEveryFigureAtTheTop() {
        JsonNode json = JsonMapper.builder().build().valueToTree(figures(effects(0, 0), 2));

        assertThat(json.propertyNames())
                .contains(
                        "requests",
                        "executed",
                        "replayed",
                        "conflicts",
                        "mismatches",
                        "messages",
                        "redeliveries",
                        "takeovers",
                        "restarts",
                        "bankCalls",
                        "ledgerRows",
                        "lost",
                        "double",
                        "deadLetters");
        assertThat(json.get("messages").asInt()).isEqualTo(20);
    }
}
