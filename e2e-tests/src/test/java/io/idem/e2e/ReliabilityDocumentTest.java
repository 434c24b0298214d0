package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests and configurations that docs/reliability.md names exist, and no failure mode is missing. */
class ReliabilityDocumentTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern CONFIGURATION = Pattern.compile("`((?:flaw|sound|live)-?[a-z-]*)`");
    private static final Map<String, Integer> MODES = Map.of("A", 17, "B", 12, "C", 7, "D", 5);

    private final String document = read(ROOT.resolve("docs/reliability.md"));
    private final Map<String, String> sources = sources();

    @Test
    void everyTestItNamesExists() {
        List<MatchResult> named = TEST.matcher(document).results().toList();

        assertThat(named).hasSizeGreaterThan(100).allMatch(this::isTest);
    }

    @Test
    void everyConfigurationOfTheModelItNamesExists() {
        assertThat(CONFIGURATION.matcher(document).results().map(found -> found.group(1)))
                .isNotEmpty()
                .allMatch(name -> Files.exists(ROOT.resolve("model/quick/" + name + ".cfg")));
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

    /** A method with an annotation that makes it a test, in the source of a class of that name. */
    private boolean isTest(MatchResult named) {
        String source = sources.getOrDefault(named.group(1), "");
        return Pattern.compile(
                        "@(?:Parameterized)?Test\\b(?:(?!\\bvoid\\b)[\\s\\S])*?\\bvoid " + named.group(2) + "\\(")
                .matcher(source)
                .find();
    }

    private static Map<String, String> sources() {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(ReliabilityDocumentTest::javaFiles)
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            ReliabilityDocumentTest::read,
                            String::concat));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> javaFiles(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
