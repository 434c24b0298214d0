package io.idem.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The walks of docs/architecture.md name types and methods that exist, in the packages that the page gives. */
class ArchitecturePageTest {

    private static final int MOST_LINES = 60;
    private static final Pattern STEP = Pattern.compile("(?m)^\\| `([a-z.]+)` \\| ([^|]+) \\|");
    private static final Pattern METHOD = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w*)`");
    private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]\\w+)[.`]");

    private final List<SourceFile> sources = SourceFile.published();
    private final String page =
            Page.of(Pom.ROOT.resolve("docs/architecture.md")).text();

    @Test
    void thePageIsShortEnoughToReadAtOnce() {
        assertThat(page.lines()).hasSizeLessThanOrEqualTo(MOST_LINES);
    }

    @Test
    void everyStepIsAMethodInThePackageThatIsNamed() {
        assertThat(STEP.matcher(page).results()).hasSizeGreaterThan(20);
        assertThat(STEP.matcher(page).results().flatMap(this::missingSteps)).isEmpty();
    }

    @Test
    void everyMethodThatIsNamedExists() {
        assertThat(METHOD.matcher(page).results().filter(named -> !exists("", named)))
                .map(MatchResult::group)
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/architecture.md", "CONTRIBUTING.md"})
    void everyTypeThatIsNamedExists(String file) {
        String text = Page.of(Pom.ROOT.resolve(file)).text();

        assertThat(TYPE.matcher(text)
                        .results()
                        .map(named -> named.group(1))
                        .filter(type -> !type.endsWith("Test"))
                        .filter(type -> sources.stream()
                                .noneMatch(source -> source.type().equals(type))))
                .isEmpty();
    }

    @Test
    void aMethodThatIsMissingIsFound() {
        String step = "| `engine` | `IdempotentExecutor.execute`, `IdempotentExecutor.fly` | decides |";

        assertThat(STEP.matcher(step).results().flatMap(this::missingSteps))
                .containsExactly("engine: `IdempotentExecutor.fly`");
    }

    private Stream<String> missingSteps(MatchResult step) {
        return METHOD.matcher(step.group(2))
                .results()
                .filter(named -> !exists("." + step.group(1), named))
                .map(named -> step.group(1) + ": " + named.group());
    }

    private boolean exists(String packageEnd, MatchResult named) {
        return sources.stream()
                .anyMatch(source -> source.packageName().endsWith(packageEnd)
                        && source.type().equals(named.group(1))
                        && source.declares(named.group(2)));
    }
}
