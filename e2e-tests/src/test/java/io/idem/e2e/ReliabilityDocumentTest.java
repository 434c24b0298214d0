package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests and configurations that docs/reports/reliability.md names exist, and it covers every failure mode. */
class ReliabilityDocumentTest {

    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern CONFIGURATION = Pattern.compile("`((?:flaw|sound|live)-?[a-z-]*)`");
    private static final Map<String, Integer> MODES = Map.of("A", 17, "B", 12, "C", 7, "D", 5);

    private final String document = TestSources.document("reports/reliability.md");
    private final TestSources sources = new TestSources();

    @Test
    void everyTestItNamesExists() {
        List<MatchResult> named = TEST.matcher(document).results().toList();

        assertThat(named).hasSizeGreaterThan(100);
        assertThat(missing(named)).isEmpty();
    }

    @Test
    void everyTestThatTheFailureGuideNamesExists() {
        List<MatchResult> named =
                TEST.matcher(TestSources.document("failure-guide.md")).results().toList();

        assertThat(named).hasSizeGreaterThan(30);
        assertThat(missing(named)).isEmpty();
    }

    @Test
    void everyConfigurationOfTheModelItNamesExists() {
        assertThat(CONFIGURATION.matcher(document).results().map(found -> found.group(1)))
                .isNotEmpty()
                .allMatch(name -> Files.exists(TestSources.ROOT.resolve("workshop/model/quick/" + name + ".cfg")));
    }

    @Test
    void everyFailureModeHasATestOrAReason() {
        assertThat(MODES.entrySet().stream().flatMap(ReliabilityDocumentTest::names))
                .allSatisfy(mode -> assertThat(row(mode)).as(mode).containsPattern("`\\w+#\\w+`|Not tested"));
    }

    private static Stream<String> names(Map.Entry<String, Integer> group) {
        return IntStream.rangeClosed(1, group.getValue()).mapToObj(number -> group.getKey() + number);
    }

    private String row(String mode) {
        return document.lines()
                .filter(line -> line.startsWith("| " + mode + " |"))
                .findFirst()
                .orElse("");
    }

    private List<String> missing(List<MatchResult> named) {
        return named.stream()
                .filter(test -> !sources.isTest(test.group(1), test.group(2)))
                .map(MatchResult::group)
                .toList();
    }
}
