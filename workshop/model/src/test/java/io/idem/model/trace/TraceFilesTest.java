package io.idem.model.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Traces that the laboratory kept are read and compared with the model. */
@Tag("servers")
class TraceFilesTest {

    private static final String FILE = "idem.trace.file";
    private static final Path REPOSITORY = Path.of("..", "..");

    @TempDir
    private Path scratch;

    /** A worker was stopped until its lease had ended. The flawed store does not look at owners; the sound one is made up. */
    @Test
    void aTraceIsAcceptedAndOneWithAMistakeIsRefused() throws Exception {
        TraceChecker checker = new TraceChecker(scratch, false);

        assertThat(checker.check(TraceFile.read(Path.of("src", "test", "resources", "kept-traces"))))
                .hasSize(2)
                .allSatisfy(verdict -> assertThat(verdict.accepted())
                        .as(verdict::toString)
                        .isEqualTo(verdict.trace().key().startsWith("sound")))
                .filteredOn(verdict -> !verdict.accepted())
                .singleElement()
                .asString()
                .contains("FAIL by o1 with fence 1 -> OK", "repeat   workshop/chaos.sh", "--flaw owner-unchecked");
    }

    /** {@code -Didem.trace.file} names a file, or a directory of files, from the directory of the repository. */
    @Test
    @EnabledIfSystemProperty(named = FILE, matches = ".+")
    void theTracesThatAreNamedAreBehavioursOfTheModel() throws Exception {
        TraceChecker checker = new TraceChecker(scratch, false);
        List<TraceVerdict> verdicts =
                checker.check(TraceFile.read(REPOSITORY.resolve(Objects.requireNonNull(System.getProperty(FILE)))));

        verdicts.stream().filter(TraceVerdict::accepted).forEach(System.out::println);
        assertThat(verdicts.stream()
                        .filter(verdict -> !verdict.accepted())
                        .map(checker::explained)
                        .map(TraceVerdict::toString)
                        .collect(Collectors.joining("\n\n")))
                .isEmpty();
    }
}
