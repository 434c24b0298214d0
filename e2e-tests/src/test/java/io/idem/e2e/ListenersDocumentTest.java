package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/reports/listener-matrix.md has every case of every listener mode once, and the tests it names exist. */
class ListenersDocumentTest {

    private static final Pattern CASE = Pattern.compile("[RKAP]-\\d\\d");
    private static final Pattern CLASS = Pattern.compile("`(\\w+Test)`");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*)[.#](\\w+)`");

    private final List<Case> cases = TestSources.document("reports/listener-matrix.md")
            .lines()
            .flatMap(Case::of)
            .toList();
    private final TestSources sources = new TestSources();

    @Test
    void everyCaseIsThereOnce() {
        assertThat(cases)
                .extracting(Case::number)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(numbers("R", 30), numbers("K", 28), numbers("A", 15), numbers("P", 7))
                                .flatMap(all -> all)
                                .toList());
    }

    @Test
    void everyTestThatACaseNamesExists() {
        assertThat(cases)
                .allSatisfy(row -> assertThat(TEST.matcher(row.test()).results())
                        .as(row.number())
                        .allMatch(this::isTest));
    }

    @Test
    void everyCaseSaysWhatHappensAndWhatShowsIt() {
        assertThat(cases).allSatisfy(row -> {
            assertThat(row.behaviour()).as(row.number()).isNotBlank();
            assertThat(row.test()).as(row.number()).containsPattern("`[A-Z]\\w*[.#]\\w+`|not run: \\w+ \\w+");
        });
    }

    @Test
    void everyCaseHasATestInTheOrdinaryBuildOrSaysThatItHasNone() {
        assertThat(cases)
                .allSatisfy(row -> assertThat(row.test())
                        .as(row.number())
                        .matches(test -> test.contains("(extended)")
                                || test.contains("not run:")
                                || isInTheOrdinaryBuild(test)));
    }

    private boolean isInTheOrdinaryBuild(String tests) {
        return TEST.matcher(tests).results().anyMatch(named -> !sources.isExtended(named.group(1), named.group(2)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "batches.md",
                "dead-letters.md",
                "listeners.md",
                "redis.md",
                "storage-format.md",
                "reports/upstream.md"
            })
    void everyTestClassThatAnotherPageNamesExists(String page) {
        assertThat(CLASS.matcher(TestSources.document(page)).results())
                .isNotEmpty()
                .allMatch(named -> sources.isClass(named.group(1)));
    }

    private boolean isTest(MatchResult named) {
        return sources.isTest(named.group(1), named.group(2));
    }

    private static Stream<String> numbers(String group, int last) {
        return IntStream.rangeClosed(1, last).mapToObj(number -> "%s-%02d".formatted(group, number));
    }

    private record Case(String number, String behaviour, String how, String test) {

        static Stream<Case> of(String line) {
            List<String> cells =
                    Stream.of(line.split("\\|", -1)).map(String::strip).toList();
            return cells.size() == 6 && CASE.matcher(cells.get(1)).matches()
                    ? Stream.of(new Case(cells.get(1), cells.get(2), cells.get(3), cells.get(4)))
                    : Stream.empty();
        }
    }
}
