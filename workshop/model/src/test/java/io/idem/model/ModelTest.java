package io.idem.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.idem.servers.CheckedInputs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every configuration of the model ends as its comment says: correct ones pass, and every known mistake is found. The
 * large ones take minutes each and run with {@code -Didem.model.large=true}. The outcome depends on nothing but the model, so the
 * quick ones run only if it has changed, or with {@code -Didem.checked.again=true}.
 */
@Tag("extended")
@Tag("model")
class ModelTest {

    private static final Logger LOG = LoggerFactory.getLogger(ModelTest.class);
    private static final Path MODEL = Path.of("");

    private static final CheckedInputs INPUTS = ModelInputs.read();

    @TempDir
    private static Path scratch;

    private static int met;

    @AfterAll
    static void noteThatAllOfThemWereMet() throws IOException {
        if (met == quick().size()) {
            INPUTS.green();
        }
    }

    @ParameterizedTest
    @MethodSource("quick")
    void theConfigurationEndsAsItSays(Expectation expectation) throws Exception {
        assumeTrue(INPUTS.areToBeChecked(), "Green before, and nothing has changed since");
        check(expectation);
        met++;
    }

    static List<Expectation> quick() throws IOException {
        return Expectation.in(MODEL.resolve("quick"));
    }

    @ParameterizedTest
    @MethodSource("large")
    @EnabledIfSystemProperty(named = "idem.model.large", matches = "true")
    void theLargeConfigurationEndsAsItSays(Expectation expectation) throws Exception {
        check(expectation);
    }

    static List<Expectation> large() throws IOException {
        return Expectation.in(MODEL.resolve("large"));
    }

    private void check(Expectation expectation) throws Exception {
        long start = System.nanoTime();

        Finding finding = new ModelChecker(MODEL, scratch).check(expectation);

        LOG.info(
                "{}: {}, {} distinct states, {} steps, {} s",
                expectation,
                finding.violated().orElse("passed"),
                finding.states(),
                finding.steps(),
                Duration.ofNanos(System.nanoTime() - start).toSeconds());
        assertThat(finding)
                .as("%s expects %s\n%s", expectation, expectation.violated(), finding.output())
                .matches(found -> found.meets(expectation));
    }
}
