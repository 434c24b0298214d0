package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/http.md has every setting; docs/reports/http-matrix.md has every case, and the tests of every rule. */
class HttpDocumentTest {

    private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");
    private static final Pattern SETTING = Pattern.compile("`([a-z][a-z.*\\[\\]-]+)`");
    private static final Pattern OTHERWISE =
            Pattern.compile("not applicable: \\w.*|the .* (for both|on servlets|decides).*");

    private final String page = TestSources.document("http.md");
    private final String matrix = TestSources.document("reports/http-matrix.md");
    private final TestSources sources = new TestSources();
    private final List<Row> settings = rows(page, "## Settings", 5);
    private final List<Row> rules =
            rows(matrix, "## Rules", 6).stream().filter(row -> !row.isCase()).toList();

    @Test
    void everyTestThatItNamesExists() {
        List<MatchResult> named = TEST.matcher(matrix).results().toList();

        assertThat(named).hasSizeGreaterThan(150).allMatch(test -> sources.isTest(test.group(1), test.group(2)));
    }

    @Test
    void everyCaseIsThereOnce() {
        assertThat(rows(matrix, "### Cases", 6))
                .filteredOn(Row::isCase)
                .extracting(row -> row.cell(1))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 14)
                        .mapToObj("H-%02d"::formatted)
                        .toList());
    }

    @Test
    void everyRuleAndCaseHasATestOnBothStacksOrSaysWhyNot() {
        assertThat(rows(matrix, "## Rules", 6)).hasSizeGreaterThan(70).allSatisfy(row -> {
            assertThat(row.cell(3)).as(row.cell(1)).containsPattern(TEST);
            assertThat(row.cell(4))
                    .as(row.cell(1))
                    .matches(cell ->
                            TEST.matcher(cell).find() || OTHERWISE.matcher(cell).matches());
        });
    }

    @Test
    void everySettingIsThereWithItsDefaultAndNoOther() {
        Map<String, Optional<String>> metadata = HttpSettings.metadata();

        assertThat(namedSettings().filter(name -> !name.startsWith("routes[]")))
                .containsExactlyInAnyOrderElementsOf(metadata.keySet());
        metadata.forEach((name, value) -> value.ifPresent(
                known -> assertThat(setting(name).cell(2)).as(name).contains("`" + known + "`")));
    }

    @Test
    void everySettingOfARouteIsThereAndNoOther() {
        Stream<String> ofRoutes = settings.stream()
                .filter(row -> row.cell(1).startsWith("●") || row.name().startsWith("routes[]."))
                .map(row -> row.name().replace("routes[].", "").replaceAll("\\..*", ""));

        assertThat(ofRoutes.collect(Collectors.toSet())).isEqualTo(HttpSettings.ofRoutes());
    }

    @Test
    void everySettingBelongsToARule() {
        Set<String> used = rules.stream()
                .flatMap(row -> SETTING.matcher(row.cell(2)).results())
                .map(found -> found.group(1).replace("idem.http.", ""))
                .collect(Collectors.toSet());

        assertThat(namedSettings().map(name -> name.replace("routes[].", "")))
                .allSatisfy(name -> assertThat(used).as(name).containsAnyOf(name, name.replaceAll("\\..*", ".*")));
    }

    private Stream<String> namedSettings() {
        return settings.stream().map(Row::name);
    }

    private Row setting(String name) {
        return settings.stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Row> rows(String document, String heading, int cells) {
        return document.lines()
                .dropWhile(line -> !line.startsWith(heading))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .map(line -> new Row(
                        Stream.of(line.split("\\|", -1)).map(String::strip).toList()))
                .filter(row -> row.cells().size() == cells && row.isContent())
                .toList();
    }

    private record Row(List<String> cells) {

        String cell(int number) {
            return cells.get(number);
        }

        boolean isContent() {
            return !cell(1).startsWith("---")
                    && !List.of("rule", "case").contains(cell(1))
                    && !cell(1).startsWith("setting");
        }

        boolean isCase() {
            return cell(1).matches("H-\\d\\d");
        }

        String name() {
            return cell(1).replaceAll("[●` ]", "");
        }
    }
}
